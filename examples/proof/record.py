"""What a server answers about a match, saved as one canonical JSON text: everything that a proof needs, and nothing else."""

import http.client
import json
import time
import urllib.parse
from pathlib import Path

from .canonical import NotCanonical, canonical, parse, same

FORMAT = "muninn record 1"
# What the log proves of the match itself. The match's id is in no commit: no proof covers it.
PROVEN = ["game", "edition", "options", "seats", "visibility", "branched_from", "status", "version", "commit", "created_at",
          "updated_at", "seed_commitment", "seed", "header", "token_hashes", "standing", "head_hash", "sandbox"]
LONGEST_WAIT = 60  # seconds: a match that is damaged is not soon repaired


class Unusable(Exception):
    """There is nothing to check: no answer, no such match, no such file."""


class Away(Unusable):
    """The server does not answer: no other question will be answered either."""


class Server:
    """One connection to a server."""

    def __init__(self, base: str, token: str | None) -> None:
        parts = urllib.parse.urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise Unusable(f"{base} is no address of a server")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connection, self.path = kind(parts.netloc, timeout=60), parts.path.rstrip("/")
        self.token = token
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str):
        while True:
            try:
                self.connection.request("GET", self.path + path, headers=self.headers)
                answer = self.connection.getresponse()
                body = answer.read()
            except (OSError, http.client.HTTPException) as error:
                raise Away(f"the server does not answer: {error}") from error
            wait = answer.headers.get("Retry-After", "")
            if answer.status != 429 or not wait.isdigit():
                break
            # It is asked too often, and says in how many seconds it answers again.
            self.connection.close()
            time.sleep(int(wait))
        if answer.status != 200:
            try:
                problem = json.loads(body)["detail"]
            except (ValueError, KeyError, TypeError):
                problem = answer.reason
            raise Unusable(f"{path}: {answer.status}, {problem}")
        try:
            return parse(body)
        except ValueError as error:
            raise NotCanonical(f"{path}: {error}") from error

    def pages(self, path: str):
        """All items of a list."""
        for page in self.whole_pages(path):
            yield from page["items"]

    def whole_pages(self, path: str):
        """All pages of a list."""
        page = self.get(path)
        while True:
            yield page
            if page["next"] is None:
                return
            page = self.get(f"{path}&after={page['next']}")


def finished(server: Server, game: str | None):
    """The ids of all finished matches, the newest first. Raises Unusable at the end if the server left out matches that are damaged."""
    wanted, damaged = f"&game={urllib.parse.quote(game)}" if game else "", 0
    # All of them first: while matches are checked, the server would close the connection of the list.
    for page in list(server.whole_pages(f"/v1/matches?status=finished&limit=1000{wanted}")):
        damaged = max(damaged, page.get("damaged", 0))
        for item in page["items"]:
            yield item["match"]
    if damaged:
        raise Unusable(f"the server has {damaged} damaged matches or places of its feed, of any game, which are not in its list:"
                       " GET /v1/damaged names them")


def fetch(server: Server, match: str) -> dict:
    """The record of a match: in full if it is finished, else as the owner of the token sees it, else as a spectator does."""
    path = f"/v1/matches/{urllib.parse.quote(match, safe='')}"
    summary = server.get(path)
    last = summary["commit"]  # a live match goes on meanwhile
    public = list(server.pages(f"{path}/commits?limit=1000&viewer=spectator"))[:last]
    commits = public
    if server.token or summary["status"] == "finished":
        commits = list(server.pages(f"{path}/commits?limit=1000"))[:last]
    # Servers from before there were sandboxes say nothing of it.
    match_ = {name: summary[name] for name in PROVEN if name in summary or name != "sandbox"}
    return {"format": FORMAT, "match": match_, "seats": len(summary["seats"]), "commits": commits,
            "public": [None if same(one, other) else other for one, other in zip(commits, public)]}


def live(server: Server, match: str):
    """The commits of a match as they come, as a spectator sees them, until it is over; goes on where a connection broke off."""
    path, version = f"/v1/matches/{urllib.parse.quote(match, safe='')}/stream?after=", 0
    while True:
        wait = 1
        try:
            server.connection.request("GET", f"{server.path}{path}{version}", headers={"Accept": "text/event-stream"})
            answer = server.connection.getresponse()
            if answer.status == 204:
                answer.read()
                return
            if answer.status == 429 or answer.status >= 500:
                # It passes: the server starts again, or is asked too often. It may say in how many seconds.
                told, asked = answer.read().decode(errors="replace"), answer.headers.get("Retry-After", "")
                wait = int(asked) if asked.isdigit() else wait
                if answer.status == 503 and wait > LONGEST_WAIT:
                    raise Unusable(f"{path}{version}: 503 {told}")
                raise ConnectionError(told)
            if answer.status != 200:
                raise Unusable(f"{path}{version}: {answer.status} {answer.read().decode(errors='replace')}")
            data, named = b"", False
            for line in answer:
                if line.startswith(b"data:"):
                    data = line[5:]
                if line.startswith(b"event:"):
                    named = True
                if line == b"\n":  # the end of a message; one that has a name is no commit
                    if data and not named:
                        entry = parse(data)
                        yield entry
                        version = entry["last_version"]
                    data, named = b"", False
        except (OSError, http.client.HTTPException):
            time.sleep(wait)
        server.connection.close()


def save(record: dict, path: Path) -> None:
    path.write_bytes(canonical(record))


def load(path: Path) -> dict:
    """Reads a record that was saved. Raises NotCanonical if it cannot be one."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise Unusable(str(error)) from error
    try:
        record = parse(text)
        exact = canonical(record) == text
    except ValueError as error:
        raise NotCanonical(f"it cannot be read: {error}") from error
    shape = {"format", "match", "seats", "commits", "public"}
    if not (isinstance(record, dict) and record.keys() == shape and record["format"] == FORMAT
            and isinstance(record["match"], dict) and record["match"].keys() | {"sandbox"} == set(PROVEN)
            and type(record["seats"]) is int and isinstance(record["commits"], list) and record["commits"]
            and isinstance(record["public"], list)):
        raise NotCanonical("it has not the form of a record")
    if not exact:
        raise NotCanonical("it was written again: a record is kept as canonical JSON")
    return record
