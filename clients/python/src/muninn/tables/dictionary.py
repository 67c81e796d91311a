"""What the tables are called, and their columns: the answer of `GET /v1/tables`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    kind: str
    """`integer`, `text`, `boolean`, `time` (UTC), `JSON` (as text), `integers` or `texts` (lists)."""
    nullable: bool
    """Whether a value may be missing."""
    about: str


@dataclass(frozen=True)
class Described:
    """A table."""

    name: str
    about: str
    """What each row is."""
    games: tuple[str, ...]
    """The games that have rows in it."""
    columns: tuple[Column, ...]


def read(items: Iterable[dict[str, Any]]) -> dict[str, Described]:
    """The tables by name. What later versions say beside this is passed over."""
    return {item["name"]: _described(item) for item in items}


def _described(item: dict[str, Any]) -> Described:
    columns = (Column(one["name"], one["type"], one["nullable"], one["about"]) for one in item["columns"])
    return Described(item["name"], item["about"], tuple(item["games"]), tuple(columns))
