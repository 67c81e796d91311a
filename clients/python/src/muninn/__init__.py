"""A client of Muninn, the engine for board games."""

from ._async import AsyncMatch, AsyncMuninn, AsyncOpened
from ._sync import Match, Muninn, Opened
from .choice import Choice, Option
from .kinds import Accepted, Command, CommitEntry, MatchInfo, OpenRequest, View
from .problem import Problem, Unreachable
from .rest import models

__all__ = [
    "Accepted", "AsyncMatch", "AsyncMuninn", "AsyncOpened", "Choice", "Command", "CommitEntry", "Match", "MatchInfo", "Muninn", "OpenRequest",
    "Opened", "Option", "Problem", "Unreachable", "View", "models",
]
