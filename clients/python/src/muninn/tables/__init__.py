"""Finished matches as tables, of a folder or a server, for Polars, pandas and DuckDB.

    tables = muninn.open("tables")                       # what `muninn export` wrote
    tables = muninn.open("http://127.0.0.1:8080")        # those of a server: kept in a folder, and brought up to date
    tables.sql("SELECT game, count(*) FROM matches GROUP BY game")
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

import httpx

from ..picture import Picture
from ..problem import Problem, Unreachable, problem_of
from . import cache, readers
from .cache import OtherStore, default_folder
from .dictionary import Column, Described
from .folder import Folder, NoTables, look
from .readers import MissingExtra

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation
    from pandas import DataFrame
    from polars import LazyFrame

__all__ = ["Column", "Described", "MissingExtra", "NoTables", "OtherStore", "Tables", "open"]


class Tables:
    """The tables of a folder, as they were at the last `refresh`. Use `muninn.open`.

    Not to be shared between threads: DuckDB's connection is not.
    """

    def __init__(self, folder: Path, server: str | None, game: str | None, follows: bool) -> None:
        self.folder = folder
        """Where the files are."""
        self.server = server
        """The address of the server that draws boards, if one was named."""
        self._game = game
        self._follows = follows
        self._duck = readers.Duck()
        self._now: Folder
        self.refresh()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Frees what DuckDB holds. The files stay."""
        self._duck.close()

    def refresh(self) -> int:
        """Gets what a server has since, or sees what an export has added since. Returns the position.

        An interruption leaves what is there whole, and the next call goes on. Relations of before see what they saw, until files that were filled anew are removed by a later refresh.
        Raises `Problem`, `Unreachable`, `OtherStore` or `NoTables`.
        """
        if self._follows:
            assert self.server
            cache.refresh(self.folder, self.server, self._game)
        self._now = look(self.folder, self._game)
        self._duck.renew(self._now)
        return self.position

    @property
    def position(self) -> int:
        """The feed position up to which everything is there."""
        return self._now.position

    @property
    def complete(self) -> bool | None:
        """Whether all matches up to `position` are there. If not, some are damaged: `_export.json` names them, or `GET /v1/damaged` of the server.

        None for an unpacked archive, which does not say: the header `Damaged` of the answer did; and for a cache of an earlier version.
        """
        return self._now.complete

    @property
    def names(self) -> list[str]:
        """All tables."""
        return sorted(self._now.described or self._now.files)

    def describe(self, name: str) -> Described:
        """What the rows and columns of a table are: its entry in the data dictionary.

        Raises `KeyError` for an unknown table, and in an unpacked archive without `_dictionary.json`, which is what `GET /v1/tables` answers.
        """
        if (described := self._now.described.get(self._known(name))) is None:
            raise KeyError(f"{self.folder} has no dictionary: save what `GET /v1/tables` answers as _dictionary.json in it")
        return described

    def columns(self, name: str) -> list[str]:
        """The columns of a table in their order; the last one is `month`, in which the match ended."""
        if described := self._now.described.get(self._known(name)):
            return readers.columns(described)
        return self.duckdb(name).columns

    def polars(self, name: str) -> LazyFrame:
        """A table for Polars, read when it is collected. Raises `KeyError` for an unknown table, `MissingExtra` without Polars."""
        return readers.with_polars(self._now, self._known(name))

    def pandas(self, name: str, columns: Sequence[str] | None = None) -> DataFrame:
        """A table for pandas, in memory; of a large one ask for some columns. Raises as `polars` does."""
        return readers.with_pandas(self._now, self._known(name), columns)

    def duckdb(self, name: str) -> DuckDBPyRelation:
        """A table for DuckDB, read when its rows are fetched. Raises as `polars` does."""
        return self._duck.view(self._now, self._known(name))

    def sql(self, query: str, parameters: Sequence[object] | Mapping[str, object] | None = None) -> DuckDBPyRelation:
        """Runs SQL of DuckDB over the tables, here. `?` and `$name` stand for parameters.

        The relation has `fetchall()`, `df()` and `pl()`. Raises `MissingExtra` without DuckDB, and DuckDB's own errors.
        """
        self._prepare(query)
        return self._duck.connection.sql(query, params=parameters)

    def define(self, name: str, query: str) -> None:
        """Gives a query a name, which later ones use as a table. Another query of this name is replaced, a table is not: `ValueError`."""
        if not (name.isascii() and name.isidentifier()):
            raise ValueError(f"{name!r} is no name: it is of letters, digits and underscores")
        if name.lower() in self._now.described.keys() | self._now.files.keys():
            raise ValueError(f"{name} is a table")
        self._prepare(query)
        self._duck.define(name, query)

    def board(
        self,
        match: UUID | str,
        at: int | None = None,
        *,
        viewer: int | Literal["spectator"] | None = None,
        theme: Literal["auto", "light", "dark"] = "auto",
        shape: Literal["wide", "tall", "board"] = "wide",
    ) -> Picture:
        """The picture of a match (`match_id`), at a version or at its end, which a notebook shows. The server draws it.

        Raises `Problem`, such as `version_unknown`, `Unreachable`, and `NoTables` where no server was named.
        """
        if not self.server:
            raise NoTables('a folder has no pictures: name the server that draws them, muninn.open(folder, server="http://...")')
        query: dict[str, str | int] = {"theme": theme, "shape": shape}
        query |= {} if at is None else {"at": at}
        query |= {} if viewer is None else {"viewer": viewer}
        try:
            answer = httpx.get(f"{self.server}/v1/matches/{match}/board.svg", params=query, timeout=30.0)
        except httpx.TransportError as error:
            raise Unreachable(str(error)) from error
        if answer.is_success:
            return Picture(answer.text)
        if (problem := problem_of(answer)) is None:
            raise Unreachable(f"status {answer.status_code} {answer.reason_phrase}")
        raise Problem(problem)

    def _prepare(self, query: str) -> None:
        # A word may be something else than a table: a view that nobody reads costs little.
        known = self._now.described.keys() | self._now.files.keys()
        for name in known.intersection(re.findall(r"\w+", query.lower())):
            self._duck.view(self._now, name)

    def _known(self, name: str) -> str:
        if name in self._now.described or name in self._now.files:
            return name
        raise KeyError(f"there is no table {name} in {self.folder}: there are {', '.join(self.names)}")


def open(source: str | os.PathLike[str], *, cache: str | os.PathLike[str] | None = None, game: str | None = None, server: str | None = None) -> Tables:
    """The tables of a folder, or of a server by its address.

    Of a folder: what `muninn export` wrote, or an unpacked `GET /v1/tables.tar`. With `server` its matches can be drawn.
    Of both: all rows, or those of one `game`. Those of a server are kept in the folder `cache`, by default one of the user's, and brought up to date.

    Raises `NoTables`; of a server as `Tables.refresh`.
    """
    address = str(source)
    if not address.startswith(("http://", "https://")):
        return Tables(Path(source), server and server.rstrip("/"), game, False)
    address = address.rstrip("/")
    return Tables(Path(cache) if cache else default_folder(address, game), address, game, True)
