"""Does the public log show what the full one says, and hide only what the rules hide?"""

from .canonical import same
from .games import GAMES

# What a view adds to a position.
ADDED = {"viewer", "scores", "hand_size", "deck_size", "hand_count", "hel_count", "display", "pile_count"}


def differences(game: str, full: list, seen: list) -> list[str]:
    """Where the events `seen` say something else than the events `full`, or hide what is open."""
    if len(full) != len(seen):
        return [f"{len(full)} events, but {len(seen)} of them are public"]
    if game not in GAMES:
        return []
    found = []
    for number, (event, shown) in enumerate(zip(full, seen), 1):
        for path in _walk(event, shown, str(event.get("type")), GAMES[game].HIDDEN):
            found.append(f"event {number} of it, {path}")
    return found


def _walk(full, seen, path: str, hidden: set) -> list[str]:
    if same(full, seen) or path.endswith(".position.viewer"):
        return []
    if path in hidden and (seen is None or _is_pile_of(full, seen)):
        return []
    if isinstance(full, dict) and isinstance(seen, dict):
        extra = {name for name in seen.keys() - full.keys() if not (".position" in path and name in ADDED)}
        found = [f"{path}.{name}: in one of the two only" for name in sorted(extra | (full.keys() - seen.keys()))]
        for name in full.keys() & seen.keys():
            found += _walk(full[name], seen[name], f"{path}.{name}", hidden)
        return found
    if isinstance(full, list) and isinstance(seen, list) and len(full) == len(seen):
        return [line for one, other in zip(full, seen) for line in _walk(one, other, f"{path}.*", hidden)]
    return [f"{path}: {full!r:.60} in full, {seen!r:.60} in public"]


def _is_pile_of(full, seen) -> bool:
    """A pile whose order is hidden: how many cards, and perhaps which."""
    if not (isinstance(full, list) and isinstance(seen, dict) and seen.keys() == {"count", "cards"}):
        return False
    cards = seen["cards"]
    return same(seen["count"], len(full)) and (cards is None or isinstance(cards, list) and sorted(cards) == sorted(full))
