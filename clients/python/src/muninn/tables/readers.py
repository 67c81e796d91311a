"""Tables for the libraries that analysts use. Each is imported where it is needed: none of them comes with the package."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from .dictionary import Described
from .folder import Folder

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars

MONTH = "month"
"""The column that is in the path, beside `game`, and in no dictionary: the month in which the match ended."""
PATHS = {column: rf"[/\\]{column}=([^/\\]+)[/\\]{rest}part-[0-9]+\.parquet$" for column, rest in (("game", r"month=[^/\\]+[/\\]"), (MONTH, ""))}
"""Where they are in a path: at its end, since folders above may be called like that too."""
FILE = "_file"


class MissingExtra(ImportError):
    """A library is not installed that comes with an extra of the package."""

    def __init__(self, extra: str, library: str) -> None:
        super().__init__(f"this needs {library}: pip install 'muninn[{extra}]'", name=library)
        self.extra = extra


def library(name: str, extra: str) -> ModuleType:
    """A library of an extra. Raises `MissingExtra`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtra(extra, name) from error


def columns(described: Described) -> list[str]:
    """The columns of a table in order, with the month behind them."""
    return [column.name for column in described.columns] + [MONTH]


class Duck:
    """DuckDB with a view of each table that was asked for, and of each query that has a name.

    Views are looked up when a relation is read, so each refresh has a connection with views of its own: a relation keeps the one that made it.
    """

    def __init__(self) -> None:
        self._database: duckdb.DuckDBPyConnection | None = None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._views: set[str] = set()
        self._queries: dict[str, str] = {}
        self._seen: Folder | None = None

    def renew(self, folder: Folder) -> None:
        """Queries see the files of today from now on, also through views of others. Relations of before see what they saw."""
        before, self._seen = self._seen, folder
        if before == folder or self._connection is None:
            return
        self._connection = None
        views, self._views = self._views, set()
        for name in views & (folder.described.keys() | folder.files.keys()):
            self.view(folder, name)
        self._define_again()

    def _define_again(self) -> None:
        """A query may use one that got its name later. What cannot be any more, since a file of its own is gone, is missing when it is asked for."""
        import duckdb

        waiting = dict(self._queries)
        while True:
            before = len(waiting)
            for name, query in list(waiting.items()):
                try:
                    self._create(name, query)
                    del waiting[name]
                except duckdb.Error:
                    pass
            if len(waiting) in (0, before):
                return

    def close(self) -> None:
        if self._database:
            self._database.close()
        self._database = self._connection = None
        self._views.clear()
        self._queries.clear()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        if self._database is None:
            library("duckdb", "duckdb")
            import duckdb

            self._database = duckdb.connect()
        if self._connection is None:
            self._connection = self._database.cursor()
        return self._connection

    def view(self, folder: Folder, name: str) -> duckdb.DuckDBPyRelation:
        if name not in self._views:
            self._create(name, _select(self.connection, folder, name))
            self._views.add(name)
        return self.connection.view(name)

    def define(self, name: str, query: str) -> None:
        self._create(name, query)
        # Case makes no other name.
        self._queries[name.lower()] = query

    def _create(self, name: str, query: str) -> None:
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW {_name(name)} AS {query}")


SQL_KINDS = {"integer": "BIGINT", "boolean": "BOOLEAN", "time": "TIMESTAMP", "integers": "BIGINT[]", "texts": "VARCHAR[]"}
"""Times are UTC, without a zone: a session's zone would change what a day is."""


def _select(connection: duckdb.DuckDBPyConnection, folder: Folder, name: str) -> str:
    described = folder.described.get(name)
    files = folder.files.get(name)
    if not files:
        assert described, "what has neither files nor columns is no table"
        nulls = ", ".join(f'NULL::{SQL_KINDS.get(column.kind, "VARCHAR")} AS {_name(column.name)}' for column in described.columns)
        return f"SELECT {nulls}, NULL::VARCHAR AS {MONTH} WHERE false"
    data = f"read_parquet([{', '.join(_text(_literal(str(file))) for file in files)}], hive_partitioning = false, filename = {_text(FILE)})"
    parts = ", ".join(f"regexp_extract({_name(FILE)}, {_text(path)}, 1) AS {_name(column)}" for column, path in PATHS.items())
    source = f"(SELECT * EXCLUDE {_name(FILE)}, {parts} FROM {data})"
    kinds = {column: kind for column, kind, *_ in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()}
    order = columns(described) if described else ["game", *(column for column in kinds if column not in ("game", MONTH)), MONTH]
    wanted = ", ".join(f"{_name(column)} AT TIME ZONE 'UTC' AS {_name(column)}" if "TIME ZONE" in kinds.get(column, "") else _name(column) for column in order)
    return f"SELECT {wanted} FROM {source}"


def _literal(path: str) -> str:
    """A path that means itself alone: in brackets, no character of a pattern is special."""
    return re.sub(r"[*?\[]", r"[\g<0>]", path)


def _name(name: str) -> str:
    """A name in SQL. Names come from a server, or from a folder that somebody sent."""
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def with_polars(folder: Folder, name: str) -> polars.LazyFrame:
    library("polars", "polars")
    import polars as pl

    described = folder.described.get(name)
    files = folder.files.get(name)
    if not files:
        assert described, "what has neither files nor columns is no table"
        kinds: dict[str, pl.DataType] = {
            "integer": pl.Int64(), "boolean": pl.Boolean(), "time": pl.Datetime("ms", "UTC"), "integers": pl.List(pl.Int64), "texts": pl.List(pl.String),
        }
        return pl.LazyFrame(schema={column.name: kinds.get(column.kind, pl.String()) for column in described.columns} | {MONTH: pl.String()})
    frame = pl.scan_parquet(files, glob=False, hive_partitioning=False, include_file_paths=FILE)
    frame = frame.with_columns(pl.col(FILE).str.extract(path).alias(column) for column, path in PATHS.items()).drop(FILE)
    if described:
        return frame.select(columns(described))
    return frame.select("game", pl.exclude("game", MONTH), MONTH)


def with_pandas(folder: Folder, name: str, wanted: Sequence[str] | None) -> pandas.DataFrame:
    library("pandas", "pandas")
    library("pyarrow", "pandas")
    import pyarrow as pa
    import pyarrow.dataset as ds

    described = folder.described.get(name)
    files = folder.files.get(name)
    if not files:
        assert described, "what has neither files nor columns is no table"
        kinds = {
            "integer": pa.int64(), "boolean": pa.bool_(), "time": pa.timestamp("ms", "UTC"), "integers": pa.list_(pa.int64()), "texts": pa.list_(pa.string()),
        }
        types = {column.name: kinds.get(column.kind, pa.string()) for column in described.columns} | {MONTH: pa.string()}
        data = pa.schema(list(types.items())).empty_table()
        empty: pandas.DataFrame = (data.select(list(wanted)) if wanted else data).to_pandas()
        return empty
    path = pa.schema([("game", pa.string()), (MONTH, pa.string())])
    dataset = ds.dataset([str(file) for file in files], partitioning=ds.partitioning(path, flavor="hive"), partition_base_dir=str(folder.path))
    own = [column for column in dataset.schema.names if column not in ("game", MONTH)]
    order = list(wanted) if wanted else columns(described) if described else ["game", *own, MONTH]
    frame: pandas.DataFrame = dataset.to_table(columns=order).to_pandas()
    return frame
