"""Names for what has a type in each game."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from .rest import models as m

OpenRequest: TypeAlias = m.RosenkoenigOpenRequest | m.VoluspaOpenRequest | m.CopenhagenOpenRequest | m.DelphiOpenRequest
MatchInfo: TypeAlias = m.RosenkoenigMatchInfo | m.VoluspaMatchInfo | m.CopenhagenMatchInfo | m.DelphiMatchInfo
View: TypeAlias = m.RosenkoenigView | m.VoluspaView | m.CopenhagenView | m.DelphiView
CommitEntry: TypeAlias = m.RosenkoenigCommitEntry | m.VoluspaCommitEntry | m.CopenhagenCommitEntry | m.DelphiCommitEntry
Accepted: TypeAlias = m.Accepted
HalfCommand: TypeAlias = m.RosenkoenigHalfCommand | m.VoluspaHalfCommand | m.CopenhagenHalfCommand | m.DelphiHalfCommand

# What a model throws at data that it does not know.
FOREIGN = (ValueError, KeyError, TypeError, AttributeError)


class Command(Protocol):
    """A command of any game, such as `RosenkoenigCommandPlayCard`."""

    def to_dict(self) -> dict[str, Any]:
        """Its JSON."""


def commit_of(game: str, data: Mapping[str, Any]) -> CommitEntry:
    """A message of the stream. Events that only a later server has, by their type or by a reason in them, are passed over."""
    entry: type[CommitEntry]
    match game:
        case "rosenkoenig":
            entry = m.RosenkoenigCommitEntry
        case "voluspa":
            entry = m.VoluspaCommitEntry
        case "copenhagen":
            entry = m.CopenhagenCommitEntry
        case "delphi":
            entry = m.DelphiCommitEntry
        case other:
            raise ValueError(f"a game that this client does not know: {other}")
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
