"""What the scripts that narrate whole matches share: they ask a server, and end where something does not hold."""

import http.client
import json
import sys
import time
import urllib.parse

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
SERVER = urllib.parse.urlsplit(BASE)


def connect() -> http.client.HTTPConnection:
    kind = http.client.HTTPSConnection if SERVER.scheme == "https" else http.client.HTTPConnection
    return kind(SERVER.netloc)


connection = connect()


def answered(over: http.client.HTTPConnection, method: str, path: str, *rest) -> http.client.HTTPResponse:
    while True:
        over.request(method, SERVER.path.rstrip("/") + path, *rest)
        answer = over.getresponse()
        if answer.status < 400:
            return answer
        text = answer.read()
        if answer.status != 429 or b'"rate_limited"' not in text:
            sys.exit(f"{path}: {text.decode()}")
        # One request too many: nothing was done, and the server says in how many seconds it may be sent again.
        over.close()
        time.sleep(int(answer.headers["Retry-After"]))


def ask(path: str, body=None, token: str | None = None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body)
    return json.load(answered(connection, "GET" if body is None else "POST", path, data, headers))


def commits(path: str):
    """The commits of a stream, each with the id of its message, until the server ends it."""
    stream = connect()
    last, data, named = 0, "", False
    for line in answered(stream, "GET", path):
        field, _, value = line.decode().rstrip("\n").partition(":")
        if field == "id":
            last = int(value)
        if field == "data":
            data = value
        if field == "event":
            named = True
        if line == b"\n":  # the end of a message; one that has a name is no commit
            if data and not named:
                yield last, json.loads(data)
            data, named = "", False


def check(true: bool, otherwise: str) -> None:
    if not true:
        sys.exit(f"CHECK FAILED: {otherwise}")
