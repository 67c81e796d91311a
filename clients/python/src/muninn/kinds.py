"""What has a model in each game, read whatever the game."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from .games import COMMIT_ENTRIES, CommitEntry
from .rest import models as m

Accepted: TypeAlias = m.Accepted

# What a model throws at data that it does not know.
FOREIGN = (ValueError, KeyError, TypeError, AttributeError)


class Command(Protocol):
    """A command of any game, such as `RosenkoenigCommandPlayCard`."""

    def to_dict(self) -> dict[str, Any]:
        """Its JSON."""


def commit_of(game: str, data: Mapping[str, Any]) -> CommitEntry:
    """A message of the stream. Events that only a later server has, by their type or by a reason in them, are passed over."""
    entry = COMMIT_ENTRIES.get(game)
    if entry is None:
        raise ValueError(f"a game that this client does not know: {game}")
    try:
        return entry.from_dict(data)
    except FOREIGN:
        # Rare: only now each event is tried alone.
        known: list[Any] = []
        for event in data["events"]:
            try:
                entry.from_dict({**data, "events": [event]})
            except FOREIGN:
                continue
            known.append(event)
        return entry.from_dict({**data, "events": known})
