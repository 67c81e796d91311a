"""A folder of tables: what `muninn export` wrote, an archive that was unpacked, or the cache of a server. It is read, and never changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .dictionary import Described, read

CACHE, EXPORT, POSITION, DICTIONARY = "_tables.json", "_export.json", "_position", "_dictionary.json"
PART = re.compile(r"([a-z0-9_]+)/game=([a-z0-9_]+)/month=([0-9a-z-]+)/part-([0-9]+)\.parquet")


class NoTables(Exception):
    """The folder has no tables that can be read; the message says why."""


@dataclass(frozen=True)
class Folder:
    """What is in a folder. Files that are in it but not named here are not whole, or of no table."""

    path: Path
    position: int
    """The feed position up to which everything is there."""
    complete: bool
    """Whether nothing is left out up to there because it is damaged."""
    files: dict[str, list[Path]]
    """By table, in the order of their rows."""
    described: dict[str, Described] = field(default_factory=dict)
    """The dictionary; empty where the folder has none."""
    beyond: bool = False
    """Whether files may have rows beyond `position`, of a group that is not whole."""


def look(path: Path) -> Folder:
    """What is in a folder now.

    Raises `NoTables` where it holds none, or none in Parquet.
    """
    for name, kind in ((CACHE, _cache), (EXPORT, _export), (POSITION, _unpacked)):
        if (path / name).is_file():
            return kind(path)
    raise NoTables(f"{path} is not a folder of tables: `muninn export --out {path}` writes one")


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise NoTables(f"{path} is damaged: {error}") from error


def _described(path: Path) -> dict[str, Described]:
    dictionary = path / DICTIONARY
    return read(_json(dictionary)["items"]) if dictionary.is_file() else {}


def _by_table(path: Path, names: Iterable[str]) -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for name in sorted(names):
        if part := PART.fullmatch(name):
            files.setdefault(part[1], []).append(path / name)
    return files


def _cache(path: Path) -> Folder:
    told = _json(path / CACHE)
    files = _by_table(path, (file["path"] for file in told["files"]))
    return Folder(path, told["position"], not told["left_out"], files, read(told["items"]))


def _export(path: Path) -> Folder:
    told = _json(path / EXPORT)
    if told["format"] != "parquet":
        raise NoTables(f"{path} is an export as {told['format']}: this package reads Parquet, which `muninn export` writes by default")
    files = _by_table(path, (file["path"] for file in told["files"]))
    return Folder(path, told["position"], not told.get("damaged"), files, _described(path))


def _unpacked(path: Path) -> Folder:
    """Of an archive that was cut off, rows of the last group may be there: files of a group precede its position."""
    names = (file.relative_to(path).as_posix() for file in path.glob("*/game=*/month=*/part-*.parquet"))
    position = int((path / POSITION).read_text())
    return Folder(path, position, True, _by_table(path, names), _described(path), beyond=True)
