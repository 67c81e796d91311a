"""The tables of a server in a folder, which grows by what the server has since.

The server sends groups of files; each ends with the feed position up to which everything is there. A group is taken as a whole: its files get their
names, and then the manifest says so. What it does not name is not there, so an interruption at any moment leaves what was there before.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tarfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import httpx

from ..problem import Problem, Unreachable, body_of
from .folder import CACHE, PART, POSITION, NoTables, check_version

T = TypeVar("T")
INCOMING, LOCK, DRAFT = "_incoming", "_lock", "_tables.json.draft"
FORM = 2
"""The form of the manifest. A cache of another form is filled anew."""
ATTEMPTS = 6
LONGEST_WAIT = 30.0
PIECE = 1 << 20


class OtherStore(Exception):
    """The cache holds the tables of another store than the one behind the address."""


def default_folder(server: str, game: str | None) -> Path:
    """Where the tables of a server are kept if nobody says otherwise: in `$XDG_CACHE_HOME/muninn`, or `~/.cache/muninn`."""
    home = os.environ.get("XDG_CACHE_HOME")
    name = hashlib.sha256(f"{server} {game or ''}".encode()).hexdigest()[:16]
    return (Path(home) if home else Path.home() / ".cache") / "muninn" / name


def refresh(folder: Path, server: str, game: str | None) -> None:
    """Brings a cache up to the current end of the server's feed; makes it, if there is none.

    Raises `OtherStore`, `NoTables` where there is no server of Muninn with tables of this version, `Problem` where the server refuses, and `Unreachable` where it does not answer. What has come until then stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if stray := _foreign(folder):
        raise OtherStore(f"{folder} is no cache of tables: it contains {stray}; choose a folder that is empty or does not exist")
    with _locked(folder / LOCK), httpx.Client(base_url=server, timeout=httpx.Timeout(10.0, read=120.0)) as client:
        _Refresh(folder, client, server, game).run()


def _foreign(folder: Path) -> str | None:
    """What no cache has, where there is no manifest of one: an export, or anything else that somebody keeps there."""
    if (folder / CACHE).exists():
        return None
    for path in folder.iterdir():
        is_table = path.is_dir() and all(part.name.startswith("game=") for part in path.iterdir())
        if path.name not in (LOCK, DRAFT, INCOMING) and not is_table:
            return path.name
    return None


class _Refresh:
    def __init__(self, folder: Path, client: httpx.Client, server: str, game: str | None) -> None:
        self._folder = folder
        self._client = client
        self._query: dict[str, str] = {"game": game} if game else {}
        self._fresh: dict[str, Any] = {"form": FORM, "server": server, "game": game, "position": 0, "left_out": False, "damaged": [], "last": None, "items": [], "files": []}
        self._told = self._fresh

    def run(self) -> None:
        listed = _waiting(self._list)
        self._told = self._known(listed)
        self._clean()
        before = len(self._told["files"])
        _waiting(self._more, lambda: int(self._told["position"]))
        if len(self._told["files"]) > before:
            last = max(int(_number(file["path"])) for file in self._told["files"])
            self._told["last"] = _waiting(lambda: self._match(last))
        self._write()

    def _known(self, listed: dict[str, Any]) -> dict[str, Any]:
        """What the cache has, if it can be gone on with: with the same columns, whole, and of the same store."""
        fresh = self._fresh | {"version": listed["version"], "items": listed["items"]}
        told = self._read()
        if told is None:
            return fresh
        if told["game"] != fresh["game"]:
            raise OtherStore(f"{self._folder} is a cache of {told['game'] or 'all games'}, not of {fresh['game'] or 'all'}; choose another folder")
        if listed["position"] < told["position"]:
            raise self._other(f"it goes up to feed position {told['position']}, but the store ends at {listed['position']}")
        if told["last"] and _waiting(lambda: self._match(told["last"]["match_no"])) != told["last"]:
            raise self._other(f"the match that ended at feed position {told['last']['match_no']} is another one")
        # What was left out may be there now; tables of other columns do not go together.
        repaired = told["left_out"] and (not listed["damaged"] or not _waiting(self._damaged).issuperset(told["damaged"]))
        other = (told["version"], told["items"]) != (fresh["version"], fresh["items"])
        return fresh if repaired or other else told | {"server": fresh["server"]}

    def _other(self, why: str) -> OtherStore:
        return OtherStore(f"{self._folder} is a cache of another store: {why}; remove the folder to begin anew")

    def _read(self) -> dict[str, Any] | None:
        """None where the cache is to be filled anew: it is damaged, or of another form."""
        try:
            told: dict[str, Any] = json.loads((self._folder / CACHE).read_bytes())
            whole = all((self._folder / file["path"]).stat().st_size == file["bytes"] for file in told["files"])
            return told if told["form"] == FORM and whole else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _write(self) -> None:
        draft = self._folder / DRAFT
        with draft.open("wb") as file:
            file.write(json.dumps(self._told, indent=1).encode())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / CACHE)

    def _clean(self) -> None:
        """Removes what is not in the manifest: first the manifest, so that it never names what is not there."""
        self._write()
        shutil.rmtree(self._folder / INCOMING, ignore_errors=True)
        known = {file["path"] for file in self._told["files"]}
        for path in self._folder.glob("*/game=*/month=*/part-*.parquet"):
            if path.relative_to(self._folder).as_posix() not in known:
                path.unlink()

    def _more(self) -> None:
        """Takes groups up to the end of the feed. Where it was cut off, it may be called again."""
        query = self._query | {"after": str(self._told["position"])}
        with self._client.stream("GET", "/v1/tables.tar", params=query, headers={"accept-encoding": "identity"}) as response:
            if not response.is_success:
                response.read()
                raise _refused(response)
            end = int(response.headers.get("feed-position", "-1"))
            if end < 0:
                raise Unreachable("the answer is not one of Muninn")
            if response.headers.get("damaged") != "0":
                self._told |= {"left_out": True, "damaged": sorted(self._damaged().union(self._told["damaged"]))}
            with tarfile.open(mode="r|", fileobj=cast(IO[bytes], _Pieces(response.iter_bytes(PIECE)))) as tar:
                self._groups(tar)
        if self._told["position"] < end:
            raise tarfile.ReadError("the archive was cut off")

    def _damaged(self) -> set[str]:
        """What the server has set aside: matches, and feed positions whose match is not known."""
        query: dict[str, str] = {"limit": "1000"}
        names: set[str] = set()
        while True:
            response = self._client.get("/v1/damaged", params=query)
            if not response.is_success:
                raise _refused(response)
            page = response.json()
            names |= {str(one["match"] or one["position"]) for one in page["items"]}
            if page["next"] is None:
                return names
            query["after"] = page["next"]

    def _groups(self, tar: tarfile.TarFile) -> None:
        group: list[dict[str, Any]] = []
        for member in tar:
            data = tar.extractfile(member)
            if data is None or not (member.name == POSITION or PART.fullmatch(member.name)):
                raise Unreachable(f"the archive has {member.name}, which is no file of a table")
            if member.name != POSITION:
                group.append(self._receive(member, data))
                continue
            for file in group:
                target = self._folder / file["path"]
                target.parent.mkdir(parents=True, exist_ok=True)
                (self._folder / INCOMING / file["path"]).replace(target)
            self._told["files"] += group
            self._told["position"] = max(self._told["position"], int(data.read()))
            self._write()
            group = []

    def _receive(self, member: tarfile.TarInfo, data: IO[bytes]) -> dict[str, Any]:
        path = self._folder / INCOMING / member.name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            shutil.copyfileobj(data, file, PIECE)
            if file.tell() != member.size:
                raise tarfile.ReadError("the archive was cut off")
            file.flush()
            os.fsync(file.fileno())
        return {"path": member.name, "bytes": member.size}

    def _match(self, number: int) -> dict[str, Any] | None:
        """What says which match ended there."""
        query = self._query | {"after": str(number - 1), "until": str(number)}
        response = self._client.get("/v1/tables/matches.ndjson", params=query)
        if not response.is_success:
            raise _refused(response)
        rows = [json.loads(line) for line in response.text.splitlines()]
        return {"match_no": rows[0]["match_no"], "match_id": rows[0]["match_id"]} if rows else None

    def _list(self) -> dict[str, Any]:
        """All tables of the server."""
        server = self._fresh["server"]
        response = self._client.get("/v1/tables")
        if not response.is_success and (response.status_code != 404 or _is_problem(response)):
            raise _refused(response)
        try:
            listed: dict[str, Any] = response.json()
            version, items = int(listed["version"]), list(listed["items"])
            listed = {"version": version, "items": items, "position": int(listed["position"]), "damaged": int(listed["damaged"])}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"{server}/v1/tables has no list of tables (status {response.status_code})"
            raise NoTables(f"{server} is no server of Muninn that has tables: {why}") from error
        check_version(version, server, "the server must be a later one")
        return listed


class _Pieces:
    """The bytes of an answer as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._held = bytearray()

    def read(self, size: int) -> bytes:
        while len(self._held) < size and (piece := next(self._pieces, b"")):
            self._held += piece
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken


def _number(path: str) -> str:
    part = PART.fullmatch(path)
    assert part
    return part[4]


def _is_problem(response: httpx.Response) -> bool:
    return "problem+json" in response.headers.get("content-type", "")


def _refused(response: httpx.Response) -> Exception:
    """A problem of the server; a page of a proxy is no answer."""
    if not _is_problem(response):
        return httpx.RemoteProtocolError(f"status {response.status_code} {response.reason_phrase}", request=response.request)
    told = response.headers.get("retry-after", "")
    return Problem(body_of(response.json()), float(told) if told.isdecimal() else None)


def _waiting(ask: Callable[[], T], progress: Callable[[], int] = lambda: 0) -> T:
    """Asks again after a short wait where the server says so, or the way to it is cut; for as long as there is progress, or a few times."""
    attempt = 0
    while True:
        before = progress()
        told = None
        try:
            return ask()
        except (httpx.TransportError, tarfile.ReadError) as error:
            failure: Exception = Unreachable(str(error))
            failure.__cause__ = error
        except Problem as problem:
            if problem.status not in (429, 503):
                raise
            failure, told = problem, problem.retry_after
        attempt = 1 if progress() > before else attempt + 1
        wait = told or attempt / 4
        if attempt == ATTEMPTS or wait > LONGEST_WAIT:
            raise failure
        time.sleep(wait)


@contextmanager
def _locked(path: Path) -> Generator[None, None, None]:
    """One refresh at a time; another one waits."""
    with path.open("ab") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
