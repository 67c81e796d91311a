"""A folder of tables: what `muninn export` wrote, an archive that was unpacked, or the cache of a server. It is read, and never changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .dictionary import Described, read

VERSION = 2
"""The version of the tables that this package reads. Within it, columns are only ever added."""
CACHE, FILLING, EXPORT, POSITION, DICTIONARY = "_tables.json", "_filling.json", "_export.json", "_position", "_dictionary.json"
FORM = 3
"""The form of the manifests of a cache. One of another form is filled anew."""
GENERATION = re.compile(r"generation-([0-9]+)")
"""Where the files of a cache are."""
HASHES = frozenset(("hash", "head_hash", "position_hash"))
"""Columns that an archive has only where it was asked for them."""
PART = re.compile(r"([a-z0-9_]+)/game=([a-z0-9_]+)/month=([0-9a-z-]+)/part-([0-9]+)\.parquet")


class NoTables(Exception):
    """The folder has no tables that can be read; the message says why."""


@dataclass(frozen=True)
class Folder:
    """What is in a folder. Files that are in it but not named here are not whole, or of no table."""

    path: Path
    position: int
    """The feed position up to which everything is there."""
    complete: bool | None
    """Whether nothing is left out up to there because it is damaged; None where the folder does not say."""
    files: dict[str, list[Path]]
    """By table, in the order of their rows."""
    described: dict[str, Described] = field(default_factory=dict)
    """The dictionary; empty where the folder has none."""


def look(path: Path, game: str | None = None) -> Folder:
    """What is in a folder now, of all games or of one.

    Raises `NoTables` where it holds none, or none that this package reads.
    """
    if not path.is_dir():
        raise NoTables(f"there is no folder {path}")
    for name, kind in ((CACHE, _cache), (EXPORT, _export), (POSITION, _unpacked)):
        if (path / name).is_file():
            try:
                return _of_game(kind(path), game)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise NoTables(f"{path / name} is damaged, or is no file of Muninn ({type(error).__name__}: {error})") from error
    if (path / FILLING).is_file():
        raise NoTables(f"{path} is a cache whose first download was interrupted: open the server's address again, which goes on with it")
    raise NoTables(f"{path} is not a folder of tables: `muninn export --data DATA --out {path}` writes one")


def _of_game(folder: Folder, game: str | None) -> Folder:
    if game is None:
        return folder
    of_game = {name: [file for file in files if f"game={game}" in file.relative_to(folder.path).parts] for name, files in folder.files.items()}
    if folder.files and not any(of_game.values()):
        raise NoTables(f"{folder.path} has no tables of the game {game}")
    return replace(folder, files={name: files for name, files in of_game.items() if files})


def check_version(version: int, what: str, remedy: str) -> None:
    """Raises `NoTables` for tables of another version."""
    if version < VERSION:
        raise NoTables(f"{what} has tables of version {version}, which do not say which seats are bots; this package reads version {VERSION}: {remedy}")
    if version > VERSION:
        raise NoTables(f"{what} has tables of version {version}, and this package reads version {VERSION}: install a later muninn")


def _without_hashes(items: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [item | {"columns": [column for column in item["columns"] if column["name"] not in HASHES]} for item in items]


def _json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _by_table(path: Path, names: Iterable[str]) -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for name in sorted(names):
        if part := PART.fullmatch(name):
            files.setdefault(part[1], []).append(path / name)
    missing = next((file for named in files.values() for file in named if not file.is_file()), None)
    if missing:
        raise NoTables(f"{missing} is missing, which {path} says it has")
    return files


def _cache(path: Path) -> Folder:
    told = _json(path / CACHE)
    check_version(told["version"], str(path), "open the server's address again")
    if told["form"] < FORM:
        # It may have been emptied, and not filled to its end.
        files = _by_table(path, (file["path"] for file in told["files"]))
        return Folder(path, told["position"], None, files, read(told["items"]))
    if not GENERATION.fullmatch(told["folder"]):
        raise ValueError(f"{told['folder']} is no folder of a cache")
    files = _by_table(path / told["folder"], (file["path"] for file in told["files"]))
    return Folder(path, told["position"], not told["left_out"], files, read(told["items"]))


def _export(path: Path) -> Folder:
    told = _json(path / EXPORT)
    check_version(told["tables"], str(path), "export again, into another folder")
    if told["format"] != "parquet":
        raise NoTables(f"{path} is an export as {told['format']}: this package reads Parquet, which `muninn export` writes by default")
    if not (path / DICTIONARY).is_file():
        raise NoTables(f"{path} has no {DICTIONARY}, which `muninn export` writes: export again, into the same folder")
    files = _by_table(path, (file["path"] for file in told["files"]))
    return Folder(path, told["position"], not told["damaged"], files, read(_json(path / DICTIONARY)["items"]))


def _unpacked(path: Path) -> Folder:
    """Of an archive that was cut off, files of the last group may be there, perhaps not whole: files of a group precede its position.

    Each has the number of its first match, which is beyond the positions of the groups before.
    """
    position = int((path / POSITION).read_text())
    names = (file.relative_to(path).as_posix() for file in path.glob("*/game=*/month=*/part-*.parquet"))
    files = _by_table(path, (name for name in names if (part := PART.fullmatch(name)) and int(part[4]) <= position))
    if matches := files.get("matches"):
        check_version(_version(matches[0]), str(path), "fetch the archive again, into another folder")
    described: dict[str, Described] = {}
    if (path / DICTIONARY).is_file():
        items = _json(path / DICTIONARY)["items"]
        described = read(items if matches and b"head_hash" in _footer(matches[0]) else _without_hashes(items))
    return Folder(path, position, None, files, described)


def _footer(path: Path) -> bytes:
    """What is at the end of a Parquet file: its columns, and what its writer says of it."""
    with path.open("rb") as file:
        file.seek(-8, 2)
        size = int.from_bytes(file.read(4), "little")
        if file.read(4) != b"PAR1":
            raise NoTables(f"{path} is damaged: it is no whole Parquet file")
        file.seek(-8 - size, 2)
        return file.read(size)


def _version(path: Path) -> int:
    # A key and its value, each a text with its length in front and the number of its field before that.
    found = re.search(rb"muninn\.tables\x18.([0-9]+)", _footer(path), re.DOTALL)
    return int(found[1]) if found else 1
