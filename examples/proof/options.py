"""Are the options of a match those that were asked for? Commit 1 says for ever what was asked."""

from collections.abc import Iterator

from .canonical import same
from .games import GAMES


def differences(game: str, asked: dict | None, shown: dict, loaded: bool) -> Iterator[tuple[str, str]]:
    """The options that are others, and what they should be. Those of a given position count as they are, unless others were asked for."""
    wanted = {name: value for name, value in (asked or {}).items() if value is not None}
    if not loaded:
        wanted = GAMES[game].DEFAULTS | wanted
        if wanted.get("map") == "random" and wanted["map_seed"] is None:
            del wanted["map_seed"]  # it is drawn, and shown as it was drawn
    for name, value in wanted.items():
        seen = shown.get(name)
        if name == "custom_types" and value is not None and seen is not None:
            value, seen = sorted(value), sorted(seen)  # asked for in any order
        if name not in shown or not same(value, seen):
            yield name, f"{seen!r:.80}, but by what was asked for it is {value!r:.80}"
