"""A client of Muninn, the engine for board games."""

from ._async import AsyncMatch, AsyncMuninn, AsyncOpened
from ._sync import Match, Muninn, Opened
from .choice import Choice, Option
from .games import CommitEntry, HalfCommand, MatchInfo, OpenRequest, View
from .kinds import Accepted, Command
from .picture import Picture
from .problem import Problem, Unreachable
from .rest import models
from .tables import MissingExtra, NoTables, OtherStore, Tables, open

__all__ = [
    "Accepted", "AsyncMatch", "AsyncMuninn", "AsyncOpened", "Choice", "Command", "CommitEntry", "HalfCommand", "Match", "MatchInfo", "MissingExtra", "Muninn", "NoTables",
    "OpenRequest", "Opened", "Option", "OtherStore", "Picture", "Problem", "Tables", "Unreachable", "View", "models", "open",
]
