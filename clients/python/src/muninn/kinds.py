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


class Command(Protocol):
    """A command of any game, such as `RosenkoenigCommandPlayCard`."""

    def to_dict(self) -> dict[str, Any]:
        """Its JSON."""


def _is_known(game: str, event: Mapping[str, Any]) -> bool:
    return any(hasattr(m, f"{kind}{event['type']}") for kind in (f"{game.capitalize()}Event", f"{game.capitalize()}EventView", "Event"))


def commit_of(game: str, data: Mapping[str, Any]) -> CommitEntry:
    """A message of the stream. Types of events that a later server has are passed over."""
    data = {**data, "events": [event for event in data["events"] if _is_known(game, event)]}
    match game:
        case "rosenkoenig":
            return m.RosenkoenigCommitEntry.from_dict(data)
        case "voluspa":
            return m.VoluspaCommitEntry.from_dict(data)
        case "copenhagen":
            return m.CopenhagenCommitEntry.from_dict(data)
        case "delphi":
            return m.DelphiCommitEntry.from_dict(data)
        case other:
            raise ValueError(f"a game that this client does not know: {other}")
