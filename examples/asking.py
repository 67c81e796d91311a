"""What the scripts that narrate whole matches share: they ask a server, and end where something does not hold."""

import http.client
import json
import sys
import time
import urllib.parse

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"


def connect() -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urllib.parse.urlsplit(BASE).netloc)


connection = connect()


def answered(over: http.client.HTTPConnection, *request) -> http.client.HTTPResponse:
    while True:
        over.request(*request)
        answer = over.getresponse()
        if answer.status < 400:
            return answer
        text = answer.read()
        if answer.status != 429 or b'"rate_limited"' not in text:
            sys.exit(f"{request[1]}: {text.decode()}")
        # One request too many: nothing was done, and the server says in how many seconds it may be sent again.
        over.close()
        time.sleep(int(answer.headers["Retry-After"]))


def ask(path: str, body=None, token: str | None = None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body)
    return json.load(answered(connection, "GET" if body is None else "POST", path, data, headers))


def check(true: bool, otherwise: str) -> None:
    if not true:
        sys.exit(f"CHECK FAILED: {otherwise}")
