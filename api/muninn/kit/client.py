"""A client that passes, in the standard library of Python alone: something to copy from.

It reads one line of JSON, {"case", "server", "task"}, does what the task says, and prints one line of JSON with what it holds. README.md has the tasks.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator
from html import unescape
from typing import Any

ATTEMPTS = 5
LONGEST_WAIT = 30.0


class Problem(Exception):
    """The server refuses."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(body.get("detail"))
        self.body = body


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The server redirects no client. Whoever did would get its token."""

    def redirect_request(self, *_: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirects)


class Server:
    def __init__(self, address: str) -> None:
        self.address = address

    def open(self, method: str, path: str, query: dict[str, Any], token: str | None, body: Any, key: str | None) -> http.client.HTTPResponse:
        """A response that is a success. Asked again is what was not carried out, and what reads or has a key."""
        parameters = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        address = self.address + path + (f"?{parameters}" if parameters else "")
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(1, ATTEMPTS + 1):
            wait = attempt / 4
            request = urllib.request.Request(address, data, headers, method=method)
            try:
                response: http.client.HTTPResponse = OPENER.open(request, timeout=30)
                return response
            except urllib.error.HTTPError as error:
                safe = key is not None or method == "GET"
                told = error.headers.get("Retry-After", "")
                wait = float(told) if told.isdecimal() else wait
                again = attempt < ATTEMPTS and wait <= LONGEST_WAIT
                if error.headers.get_content_type() == "application/problem+json":
                    if not (again and (error.code == 429 or (safe and error.code == 503))):
                        raise Problem(json.load(error)) from error
                # A page of a proxy is no answer of the server.
                elif not (again and safe and (error.code >= 500 or error.code in (408, 429))):
                    raise
            except (OSError, http.client.HTTPException):
                if attempt == ATTEMPTS or (key is None and method != "GET"):
                    raise
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def get(self, path: str, token: str | None = None, **query: Any) -> Any:
        with self.open("GET", path, query, token, None, None) as response:
            return json.load(response)

    def post(self, path: str, body: Any, token: str | None = None, key: str | None = None) -> Any:
        with self.open("POST", path, {}, token, body, key) as response:
            return json.load(response)

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Every page, up to the one without a next."""
        after = None
        while True:
            page = self.get(path, after=after, **query)
            yield page
            after = page["next"]
            if after is None:
                return

    def messages(self, path: str, after: int, token: str | None, **query: Any) -> Iterator[Any]:
        """The data of a stream's messages. A break is connected again, behind the last whole message."""
        while True:
            try:
                with self.open("GET", path, {**query, "after": after}, token, None, None) as response:
                    if response.status == 204:
                        return
                    name, data = "", []
                    for line in response:
                        field, _, value = line.decode().rstrip("\r\n").partition(":")
                        value = value.removeprefix(" ")
                        if field == "event":
                            name = value
                        elif field == "data":
                            data.append(value)
                        elif not field and not value and line.strip() == b"":
                            # A message with a name is no commit.
                            if data and name in ("", "message"):
                                commit = json.loads("\n".join(data))
                                after = commit["last_version"]
                                yield commit
                            name, data = "", []
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)


def patched(document: Any, patch: list[dict[str, Any]]) -> Any:
    """RFC 6902. The document itself is not changed."""
    root = {"": json.loads(json.dumps(document))}

    def place(pointer: str) -> tuple[Any, Any]:
        parent: Any = root
        *way, last = ["", *(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])]
        for part in way:
            parent = parent[int(part) if isinstance(parent, list) else part]
        if isinstance(parent, list):
            return parent, len(parent) if last == "-" else int(last)
        return parent, last

    def put(pointer: str, value: Any) -> None:
        parent, name = place(pointer)
        if isinstance(parent, list):
            parent.insert(name, value)
        else:
            parent[name] = value

    for change in patch:
        parent, name = place(change["path"])
        if change["op"] == "add":
            put(change["path"], change["value"])
        elif change["op"] == "replace":
            parent[name] = change["value"]
        elif change["op"] == "remove":
            del parent[name]
        elif change["op"] == "test":
            if parent[name] != change["value"]:
                raise ValueError(f"{change['path']} is another value")
        else:
            source, of = place(change["from"])
            value = json.loads(json.dumps(source[of]))
            if change["op"] == "move":
                del source[of]
            put(change["path"], value)
    return root[""]


def canonical(value: Any) -> bytes:
    """RFC 8785, for the values that commits have: no fractions."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def verified(commits: list[dict[str, Any]], head: str) -> bool:
    """The chain, from what a spectator sees."""
    previous = bytes(32)
    for commit in commits:
        seen = {name: commit[name] for name in ("commit", "first_version", "last_version", "seat", "recorded_at", "command", "events")}
        hashed = sha(previous, sha(canonical(seen)), bytes.fromhex(commit["sealed"]))
        if commit["prev_hash"] != previous.hex() or commit["hash"] != hashed.hex():
            return False
        previous = hashed
    return previous.hex() == head


def follow(server: Server, path: str, token: str | None, task: dict[str, Any]) -> Any:
    after = task["after"]
    if not task.get("patch"):
        commits = list(server.messages(f"{path}/stream", after, token))
        return {"commits": [commit["last_version"] for commit in commits], "events": [event["type"] for commit in commits for event in commit["events"]]}
    view = server.get(f"{path}/view", token, at=after)
    for commit in server.messages(f"{path}/stream", after, token, patch="true"):
        view = patched(view, commit["patch"])
    return {"view": view}


def brought(server: Server, path: str, token: str | None, task: dict[str, Any]) -> Any:
    since = task["from"]
    view = server.get(f"{path}/view", token, at=since)
    for at in task["to"]:
        try:
            view = patched(view, server.get(f"{path}/view", token, since=since, at=at))
        except Problem as problem:
            if problem.body["code"] != "version_gone":
                raise
            view = server.get(f"{path}/view", token, at=at)
        since = at
    return {"view": view}


def choose(server: Server, path: str, token: str | None, task: dict[str, Any]) -> Any:
    page = server.get(f"{path}/legal-commands", token, include=task["include"])
    options = list(zip(page["items"], page["spots"], strict=True))
    left = []
    for spot in task["clicks"]:
        options = [option for option in options if spot in option[1]]
        left.append(len(options))
    command = options[0][0]
    accepted = server.post(f"{path}/commands", {"command": command}, token, str(uuid.uuid4()))
    return {"left": left, "command": command, "version": accepted["version"]}


def done(server: Server, task: dict[str, Any]) -> Any:
    path = f"/v1/matches/{task.get('match')}"
    token = None if task.get("seat") is None or "tokens" not in task else task["tokens"][task["seat"]]
    match task["do"]:
        case "open":
            opened = server.post("/v1/matches", task["request"], key=str(uuid.uuid4()))
            return {"match": opened["match"], "seat_tokens": opened["seat_tokens"]}
        case "join":
            return server.post(f"{path}/seats/{task['seat']}", {"name": task["name"]})
        case "submit":
            body = {"command": task["command"]}
            if task["expected_version"] is not None:
                body["expected_version"] = task["expected_version"]
            return server.post(f"{path}/commands", body, token, str(uuid.uuid4()))
        case "view":
            return {"view": server.get(f"{path}/view", token, at=task.get("at"))}
        case "patch":
            return brought(server, path, token, task)
        case "apply":
            return {"documents": [patched(one["document"], one["patch"]) for one in task["patches"]]}
        case "commits":
            pages = server.pages(f"{path}/commits", limit=task["limit"])
            return {"commits": [commit["commit"] for page in pages for commit in page["items"]]}
        case "feed":
            read = list(server.pages("/v1/events", limit=task["limit"], type=task.get("type")))
            events = [[entry["position"], entry["version"], entry["event"]["type"]] for page in read for entry in page["items"]]
            return {"events": events, "position": read[-1]["position"]}
        case "verify":
            head = server.get(path)["head_hash"]
            pages = server.pages(f"{path}/commits", limit=task["limit"], viewer="spectator")
            return {"verified": verified([commit for page in pages for commit in page["items"]], head)}
        case "follow":
            return follow(server, path, token, task)
        case "choose":
            return choose(server, path, token, task)
        case "spots":
            with server.open("GET", f"{path}/board.svg", {}, token, None, None) as response:
                picture = response.read().decode()
            return {"spots": sorted(set(map(unescape, re.findall(r'data-spot="([^"]*)"', picture))))}
    raise ValueError(f"the task {task['do']} is unknown")


def main() -> None:
    given = json.loads(sys.stdin.readline())
    try:
        result = done(Server(given["server"]), given["task"])
    except Problem as problem:
        told: dict[str, Any] = {name: problem.body[name] for name in ("status", "code", "rule", "current_version") if name in problem.body}
        if "missed" in problem.body:
            told["missed"] = [commit["last_version"] for commit in problem.body["missed"]["items"]]
        result = {"problem": told}
    print(json.dumps(result))


main()
