"""Writers that keep account of every 201. Needs only Python 3.10; check.py holds the account against what the servers tell.

client.py FOLDER SECONDS WRITERS URL        plays until FOLDER/stop is there or time is up; FOLDER/acknowledged has a line for each 201
"""

import hashlib
import http.client
import json
import pathlib
import random
import sys
import threading
import time
import urllib.parse
import uuid
from collections import Counter, namedtuple

PATIENCE = 300  # seconds for one request with its repetitions: longer than any fault


def headers_of(key, token):
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    return headers | {"Authorization": f"Bearer {token}"} if token else headers


def digest(text):
    return hashlib.sha256(text).hexdigest()[:16]


class Caller:
    """One connection, and requests that are repeated until their answer is certain."""

    def __init__(self, url):
        self.netloc, self.connection = urllib.parse.urlsplit(url).netloc, None
        self.said = Counter()

    def once(self, method, path, body, headers):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.netloc, timeout=40)
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise

    def ask(self, method, path, body=None, headers=None):
        """The answer, and how often the request was sent."""
        start, times = time.time(), 0
        while True:
            times += 1
            try:
                status, got, text = self.once(method, path, body, headers or {})
                # After a 408 nothing was done: a server that was paused wakes up, and has not read what waited for it, or a body did not arrive.
                if status not in (408, 429, 500, 502, 503, 504):
                    return status, got, text, times
                self.said[f"{status} {json.loads(text or '{}').get('code')}"] += 1
            except (OSError, http.client.HTTPException) as error:
                self.said[type(error).__name__] += 1
            if time.time() - start > PATIENCE:
                raise TimeoutError(f"{method} {path}: no certain answer in {PATIENCE} s")
            time.sleep(random.uniform(0.05, 0.3))


Request = namedtuple("Request", "path body key token")


class Writer(threading.Thread):
    def __init__(self, url, folder, until, account):
        super().__init__(daemon=True)
        self.caller, self.folder, self.until, self.account = Caller(url), folder, until, account
        self.wrong = []

    def over(self):
        return time.time() > self.until or (self.folder / "stop").exists()

    def post(self, path, body, key, token=None):
        body = json.dumps(body)
        headers = headers_of(key, token)
        status, _, text, times = self.caller.ask("POST", path, body, headers)
        if status == 201 and (times > 1 or random.random() < 0.05):
            # The same key again: the same answer.
            again, _, same, _ = self.caller.ask("POST", path, body, headers)
            self.account.repeated(times)
            if (again, same) != (status, text):
                self.wrong.append(f"{path} {key}: {text[:300]} and then {again} {same[:300]}")
        return status, text, Request(path, body, key, token)

    def run(self):
        while not self.over():
            try:
                self.play()
            except Exception as error:  # noqa: BLE001
                self.wrong.append(repr(error))
                return

    def play(self):
        key = str(uuid.uuid4())
        seats = {"game": "rosenkoenig", "seats": [{"name": "Ada"}, {"name": "Grace"}]}
        status, text, request = self.post("/v1/matches", seats, key)
        if status != 201:
            raise AssertionError(f"opening: {status} {text[:300]}")
        opened = json.loads(text)
        match, tokens = opened["match"], opened["seat_tokens"]
        self.account.put(match, 1, None, request, text)
        path, version, commit = f"/v1/matches/{match}", None, 1
        while not self.over():
            status, _, text, _ = self.caller.ask("GET", f"{path}/view")
            view = json.loads(text)
            if status != 200:
                raise AssertionError(f"{path}/view: {status} {text[:300]}")
            token = tokens[view["active_seat"] or 0]
            headers = {"Authorization": f"Bearer {token}"}
            status, headers, text, _ = self.caller.ask("GET", f"{path}/legal-commands", headers=headers)
            legal = json.loads(text)["items"]
            if not legal:
                return
            # Every read shows what was acknowledged before it began.
            at = int(headers["ETag"].strip('W/"').split(".")[0]) if version else None
            if version and at != version:
                self.wrong.append(f"{path}: acknowledged {version}, read {headers['ETag']}")
            key = str(uuid.uuid4())
            command = {"command": random.choice(legal), "expected_version": at}
            status, text, request = self.post(f"{path}/commands", command, key, token)
            if status != 201:
                self.wrong.append(f"{path} after {version}: {status} {text[:400]}")
                return
            accepted = json.loads(text)
            commit += 1
            if accepted["commit"] != commit:
                self.wrong.append(f"{path}: commit {accepted['commit']}, not {commit}")
                return
            version = accepted["version"]
            self.account.put(match, commit, version, request, text)


class Account:
    """Every 201, written as it arrives: what was said, and what was asked, so that it can be asked again."""

    def __init__(self, folder):
        self.file, self.lock, self.count, self.again = (folder / "acknowledged").open("w"), threading.Lock(), 0, 0

    def put(self, match, commit, version, request, text):
        line = [round(time.time(), 3), match, commit, version, digest(text), *request]
        with self.lock:
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()
            self.count += 1

    def repeated(self, _):
        with self.lock:
            self.again += 1


def write(folder, seconds, writers, url):
    folder = pathlib.Path(folder)
    account = Account(folder)
    all_of_them = [Writer(url, folder, time.time() + float(seconds), account) for _ in range(int(writers))]
    for writer in all_of_them:
        writer.start()
    for writer in all_of_them:
        writer.join()
    said, wrong = Counter(), []
    for writer in all_of_them:
        said += writer.caller.said
        wrong += writer.wrong
    (folder / "written").write_text(json.dumps({"acknowledged": account.count, "repeated": account.again, "said": said, "wrong": wrong}, indent=1))
    print(f"acknowledged {account.count}, sent again {account.again}, wrong {len(wrong)}, {dict(said)}")
    for line in wrong[:20]:
        print("  " + line)


if __name__ == "__main__":
    write(*sys.argv[1:])
