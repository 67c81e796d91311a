"""The tables of a server in a folder, which grows by what the server has since.

The server sends groups of files; each ends with the feed position up to which everything is there. A group is taken as a whole: its files get their
names, and then the manifest says so. What it does not name is not there, so an interruption at any moment leaves what was there before.

With each position the server says a mark, which is another one in another store. It is compared before anything is taken that follows it.

A cache that cannot be gone on with is filled anew in a folder beside it, a generation, with a manifest of its own, which takes the place of the other
one when everything is there. The files of before stay until the next refresh: somebody may read them.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import httpx

from ..problem import Problem, Unreachable, problem_of
from .folder import CACHE, FILLING, FORM, GENERATION, PART, POSITION, NoTables, check_version

T = TypeVar("T")
INCOMING, LOCK, DRAFT = "_incoming", "_lock", "_tables.json.draft"
PARTS = "*/game=*/month=*/part-*.parquet"
ATTEMPTS = 6
LONGEST_WAIT = 30.0
PIECE = 1 << 20
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""What Windows says of a lock that somebody else has."""


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
    if (folder / CACHE).exists() or (folder / FILLING).exists():
        return None
    for path in folder.iterdir():
        if path.name not in (CACHE, FILLING, LOCK, DRAFT, INCOMING) and not _is_table(path) and not _is_generation(path):
            return path.name
    return None


def _is_table(path: Path) -> bool:
    return path.is_dir() and all(part.name.startswith("game=") for part in path.iterdir())


def _is_generation(path: Path) -> bool:
    return GENERATION.fullmatch(path.name) is not None and path.is_dir() and all(map(_is_table, path.iterdir()))


class _Refresh:
    def __init__(self, folder: Path, client: httpx.Client, server: str, game: str | None) -> None:
        self._folder = folder
        self._client = client
        self._query: dict[str, str] = {"game": game} if game else {}
        self._fresh: dict[str, Any] = {"form": FORM, "server": server, "game": game, "position": 0, "mark": None, "left_out": False, "damaged": [], "files": []}
        self._told = self._fresh
        self._manifest = CACHE

    def run(self) -> None:
        listed = _waiting(self._list)
        self._begin(listed)
        self._write()
        self._clean()
        _waiting(self._more, lambda: int(self._told["position"]))
        self._write()
        if self._manifest == FILLING:
            (self._folder / FILLING).replace(self._folder / CACHE)

    def _begin(self, listed: dict[str, Any]) -> None:
        """Goes on with what the cache has, or with a generation that was not filled to its end, or begins one."""
        told, filling, game = self._read(CACHE), self._read(FILLING), self._fresh["game"]
        for known in (told, filling):
            if known and known["game"] != game:
                raise OtherStore(f"{self._folder} is a cache of {known['game'] or 'all games'}, not of {game or 'all'}; choose another folder")
        if told and self._fits(told, listed):
            self._manifest = CACHE
            (self._folder / FILLING).unlink(missing_ok=True)
        else:
            self._manifest = FILLING
            goes_on = False
            # Nobody has seen it yet: if it is of another store, it is dropped.
            with suppress(OtherStore):
                goes_on = filling is not None and self._fits(filling, listed)
            told = filling if filling and goes_on else self._fresh | {"folder": self._unused()}
        self._told = told | {"server": self._fresh["server"], "version": listed["version"], "items": listed["items"]}

    def _fits(self, told: dict[str, Any], listed: dict[str, Any]) -> bool:
        """Whether it can be gone on with: with the same columns, whole, and of the same store. Raises `OtherStore`."""
        if not told["files"]:
            return False
        if listed["position"] < told["position"]:
            raise self._other(f"it goes up to feed position {told['position']}, but the store ends at {listed['position']}")
        mark = _waiting(lambda: self._mark(told["position"]))
        self._compare(told, mark)
        # What is damaged has no mark. A server that never had one is an earlier one, with which nothing can be compared.
        if told["mark"] is None or mark is None and not listed["damaged"]:
            return False
        # What was left out may be there now; tables of other columns do not go together.
        repaired = told["left_out"] and (not listed["damaged"] or not _waiting(self._damaged).issuperset(told["damaged"]))
        same = (told["version"], _form(told["items"])) == (listed["version"], _form(listed["items"]))
        return same and not repaired

    def _compare(self, told: dict[str, Any], mark: str | None) -> None:
        if mark and told["mark"] and mark != told["mark"]:
            raise self._other(f"what stands at feed position {told['position']} is something else")

    def _unused(self) -> str:
        numbers = (int(found[1]) for path in self._folder.iterdir() if (found := GENERATION.fullmatch(path.name)))
        return f"generation-{max(numbers, default=0) + 1}"

    def _other(self, why: str) -> OtherStore:
        return OtherStore(f"{self._folder} is a cache of another store: {why}; remove the folder to begin anew")

    def _read(self, manifest: str) -> dict[str, Any] | None:
        """None where there is nothing to go on with: it is damaged, or of another form."""
        try:
            told: dict[str, Any] = json.loads((self._folder / manifest).read_bytes())
            if told["form"] != FORM or not told.keys() >= self._fresh.keys() or not GENERATION.fullmatch(told["folder"]):
                return None
            whole = all((self._folder / told["folder"] / file["path"]).stat().st_size == file["bytes"] for file in told["files"])
            return told if whole else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _write(self) -> None:
        draft = self._folder / DRAFT
        with draft.open("wb") as file:
            file.write(json.dumps(self._told, indent=1).encode())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / self._manifest)

    def _clean(self) -> None:
        """Removes what no manifest names, but nothing while one cannot be read. What cannot be removed now is removed by the next refresh."""
        shutil.rmtree(self._folder / INCOMING, ignore_errors=True)
        named: set[Path] = set()
        for manifest in (CACHE, FILLING):
            try:
                told = json.loads((self._folder / manifest).read_bytes())
                named.update(self._folder / told.get("folder", "") / file["path"] for file in told["files"])
            except FileNotFoundError:
                continue
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                return
        for pattern in (PARTS, f"generation-*/{PARTS}"):
            for path in self._folder.glob(pattern):
                if path not in named:
                    with suppress(OSError):
                        path.unlink()
        generations = {path.parents[3] for path in named}
        for path in self._folder.iterdir():
            if path not in generations and _is_generation(path):
                shutil.rmtree(path, ignore_errors=True)

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
            position, mark = int(data.read()), member.pax_headers.get("comment")
            if position <= self._told["position"]:
                # Where the archive begins: here it is known whether what follows is of the same store, whatever was so when that was asked before.
                self._compare(self._told, mark)
                continue
            for file in group:
                target = self._folder / self._told["folder"] / file["path"]
                target.parent.mkdir(parents=True, exist_ok=True)
                (self._folder / INCOMING / file["path"]).replace(target)
            self._told |= {"files": self._told["files"] + group, "position": position, "mark": mark}
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

    def _mark(self, position: int) -> str | None:
        """What the server says stands there: an archive of nothing begins with it."""
        query = self._query | {"after": str(position), "until": str(position)}
        response = self._client.get("/v1/tables.tar", params=query, headers={"accept-encoding": "identity"})
        if not response.is_success:
            raise _refused(response)
        with tarfile.open(fileobj=io.BytesIO(response.content)) as tar:
            marks = [member.pax_headers.get("comment") for member in tar if member.name == POSITION]
        return marks[0] if marks else None

    def _list(self) -> dict[str, Any]:
        """All tables of the server."""
        server = self._fresh["server"]
        response = self._client.get("/v1/tables")
        if not response.is_success and (response.status_code != 404 or problem_of(response)):
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


def _form(items: list[dict[str, Any]]) -> dict[str, dict[str, tuple[str, bool]]]:
    """What makes files of tables go together: their columns, whatever is said about them."""
    return {item["name"]: {column["name"]: (column["type"], column["nullable"]) for column in item["columns"]} for item in items}


def _refused(response: httpx.Response) -> Exception:
    """A problem of the server; a page of a proxy is no answer."""
    problem = problem_of(response)
    if problem is None:
        return httpx.RemoteProtocolError(f"status {response.status_code} {response.reason_phrase}", request=response.request)
    told = response.headers.get("retry-after", "")
    return Problem(problem, float(told) if told.isdecimal() else None)


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

            # LK_LOCK gives up after ten seconds.
            while True:
                file.seek(0)
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                    break
                except OSError as error:
                    if error.errno not in TAKEN:
                        raise
                time.sleep(0.25)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
