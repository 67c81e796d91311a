"""Runs a client through the cases of this kit. The runner is the server: it gives the recorded answers, and notes what the client does.

    python3 runner.py [--case NAME]... [--jobs N] -- COMMAND [ARGUMENT]...

Exits with 0 if the client follows the contract, with 1 if not, with 2 for wrong usage. README.md says what a client does.
"""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FORM = 1
SECONDS = 30.0
GRACE_SECONDS = 2.0
PIECE = 61
SHOWN = 160

FOLDER = Path(__file__).resolve().parent
NOTHING = object()
# By idempotency key: the case, and the number of the request in it, that had it first.
KEYS: dict[str, tuple[str, int]] = {}


def shown(value: Any) -> str:
    """A value, not too long."""
    text = "nothing" if value is NOTHING else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def difference(expected: Any, got: Any, place: str, more: bool = False) -> str | None:
    """Where what is there differs from what is expected; what else is there does not matter in the outermost object."""
    told = f"{place}: expected {shown(expected)}, got {shown(got)}"
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return told
        for name, value in expected.items():
            if found := difference(value, got.get(name, NOTHING), f"{place}.{name}"):
                return found
        other = next((name for name in got if name not in expected), None)
        return None if more or other is None else f"{place}.{other}: expected nothing, got {shown(got[other])}"
    if isinstance(expected, list):
        if not isinstance(got, list):
            return told
        if len(expected) != len(got):
            return f"{place}: expected {len(expected)} items, got {len(got)}: {shown(got)}"
        pairs = enumerate(zip(expected, got, strict=True))
        return next((found for number, (one, other) in pairs if (found := difference(one, other, f"{place}[{number}]"))), None)
    # In JSON true is not 1.
    same = expected == got and isinstance(expected, bool) == isinstance(got, bool)
    return None if same else told


def described(request: dict[str, Any]) -> str:
    parameters = urllib.parse.urlencode(request["query"])
    resume = f" after version {request['resume']}" if "resume" in request else ""
    return f"{request['method']} {request['paths'][0]}{'?' if parameters else ''}{parameters}{resume}"


def received(handler: Handler) -> bytes:
    """The body of a request: of so many bytes, or in pieces."""
    if handler.headers.get("Transfer-Encoding", "").strip().lower() != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    body = b""
    while size := int(handler.rfile.readline().partition(b";")[0], 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    # What comes behind the last piece is passed over, up to the empty line.
    while handler.rfile.readline().strip():
        pass
    return body


class Run:
    """A case that is run: what came, and what was wrong with it."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.mistakes: list[str] = []
        self.client: subprocess.Popen[str] | None = None
        self.lock = threading.Lock()
        self.counts = [0 for _ in case["exchanges"]]
        self.keys: dict[int, str] = {}
        self.since, self.seconds = 0.0, 0.0

    def wrong(self, text: str) -> None:
        if text not in self.mistakes:
            self.mistakes.append(text)

    def over(self) -> None:
        """The client can no longer pass."""

        def end() -> None:
            if self.client:
                self.client.kill()

        timer = threading.Timer(GRACE_SECONDS, end)
        timer.daemon = True
        timer.start()

    def matches(self, expected: dict[str, Any], handler: Handler, path: str, query: dict[str, str]) -> bool:
        """Whether this is the request that is expected, whatever its headers and its body."""
        left = dict(query)
        if expected["method"] != handler.command or path not in expected["paths"]:
            return False
        if "resume" in expected:
            after = left.pop("after", "0")
            if handler.headers.get("Last-Event-ID", after) != str(expected["resume"]):
                return False
        for name, value in expected["query"].items():
            if left.pop(name, None) != value:
                return False
        return all(expected["may"].get(name) in ("*", value) for name, value in left.items())

    def check(self, what: str, number: int, handler: Handler, text: bytes) -> None:
        """Parameters, headers and body of a request."""
        expected = self.case["exchanges"][number]["request"]
        token, headers = expected["token"], handler.headers
        names = [name for name, _ in urllib.parse.parse_qsl(handler.path.partition("?")[2], keep_blank_values=True)]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.wrong(f"{what}: expected one parameter {name}, got {names.count(name)}")
        sent = headers.get("Authorization")
        told = NOTHING if sent is None else sent
        if token == "any":
            if sent is not None and sent not in [f"Bearer {one}" for one in self.case["task"].get("tokens", [])]:
                self.wrong(f"{what}: expected a token of the task, got {shown(told)}")
        elif token is None:
            if sent is not None:
                self.wrong(f"{what}: expected no token, got Authorization: {shown(told)}")
        elif sent != f"Bearer {token}":
            self.wrong(f'{what}: expected Authorization: "Bearer {token}", got {shown(told)}')
        if "key" in expected:
            key = headers.get("Idempotency-Key")
            first = self.keys.setdefault(number, key) if key else None
            if key is None or not expected["key"] <= len(key) <= 255:
                self.wrong(f"{what}: expected an Idempotency-Key of {expected['key']} to 255 characters, got {shown(NOTHING if key is None else key)}")
            elif first != key:
                self.wrong(f"{what}: expected the Idempotency-Key of the first attempt, {shown(first)}, got {shown(key)}")
        if key := headers.get("Idempotency-Key"):
            owner = KEYS.setdefault(key, (self.case["name"], number))
            if owner != (self.case["name"], number):
                self.wrong(f"{what}: expected an Idempotency-Key of its own, got {shown(key)}, which {owner[0]} had")
        if "body" not in expected:
            return
        coding = headers.get("Content-Encoding", "identity")
        if coding.lower() != "identity":
            self.wrong(f"{what}: expected no Content-Encoding, got {shown(coding)}")
        kind = headers.get("Content-Type", "")
        if not kind.startswith("application/json"):
            self.wrong(f"{what}: expected Content-Type: application/json, got {shown(kind)}")
        try:
            got = json.loads(text)
        except ValueError:
            self.wrong(f"{what}: expected JSON, got {shown(text.decode(errors='replace'))}")
            return
        for name, value in expected.get("body_may", {}).items():
            if isinstance(got, dict) and name not in expected["body"] and got.get(name, NOTHING) in (value, None):
                del got[name]
        if found := difference(expected["body"], got, "body"):
            self.wrong(f"{what}: {found}")

    def answer(self, handler: Handler) -> None:
        text = received(handler)
        path, _, parameters = handler.path.partition("?")
        what = f"{handler.command} {handler.path}"
        with self.lock:
            passed = time.monotonic() - self.since
            if passed < self.seconds - 0.05:
                self.wrong(f"{what}: expected a wait of {self.seconds:g} s (Retry-After), it came after {passed:.2f} s")
            self.seconds = 0.0
            query = dict(urllib.parse.parse_qsl(parameters, keep_blank_values=True))
            exchanges = self.case["exchanges"]
            number = next((at for at, one in enumerate(exchanges) if self.matches(one["request"], handler, path, query)), None)
            mistake = answer = None
            if number is None:
                resumed = handler.headers.get("Last-Event-ID")
                known = "; ".join(described(one["request"]) for one in exchanges) or "no request"
                mistake = f"{what}{f' after version {resumed}' if resumed else ''}: not expected; expected is {known}"
            else:
                exchange = exchanges[number]
                self.counts[number] += 1
                count, most = self.counts[number], exchange.get("most")
                self.check(what, number, handler, text)
                if most and count > most:
                    mistake = f"{what}: expected {most} times at most, it came once more"
                answer = exchange["answers"][min(count, len(exchange["answers"])) - 1]
        if mistake or answer is None:
            self.wrong(mistake or "")
            self.over()
            problem = {"type": "about:blank", "title": "Not in the kit", "status": 501, "code": "not_in_the_kit", "detail": mistake, "request_id": ""}
            answer = {"status": 501, "headers": {"content-type": "application/problem+json"}, "json": problem}
        self.send(answer, handler)

    def send(self, answer: dict[str, Any], handler: Handler) -> None:
        handler.close_connection = True
        if answer.get("lost"):
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        self.since, self.seconds = time.monotonic(), float(answer["headers"].get("retry-after", 0))
        handler.send_response(answer["status"])
        for name, value in answer["headers"].items():
            handler.send_header(name, value)
        handler.send_header("Connection", "close")
        if "stream" not in answer:
            body = b""
            if "file" in answer:
                body = (FOLDER / answer["file"]).read_bytes()
            elif "json" in answer:
                body = json.dumps(answer["json"], ensure_ascii=False).encode()
            if answer["status"] != 204:
                handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
            return
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        # In small pieces: a client puts lines together, and characters too.
        stream = "".join(answer["stream"]).encode()
        for at in range(0, len(stream), PIECE):
            piece = stream[at : at + PIECE]
            handler.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            handler.wfile.flush()
        time.sleep(0.1)
        if not answer["cut"]:
            handler.wfile.write(b"0\r\n\r\n")

    def finish(self, text: str) -> None:
        """What the client said in the end, and which requests are missing."""
        line = text.strip().rpartition("\n")[2]
        try:
            got = json.loads(line)
        except ValueError:
            self.wrong(f"expected a line of JSON on standard output, got {shown(line)}")
        else:
            if found := difference(self.case["result"], got, "result", more=True):
                self.wrong(found)
        for count, exchange in zip(self.counts, self.case["exchanges"], strict=True):
            if count < exchange["least"]:
                self.wrong(f"{described(exchange['request'])}: expected {exchange['least']} times, it came {count} times")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    run: Run

    def do_GET(self) -> None:
        try:
            self.run.answer(self)
        except ValueError as error:
            self.run.wrong(f"a request broke off: {error}")
            self.close_connection = True
        except OSError:
            # The client did not wait for the answer; what it holds in the end says whether that matters.
            self.close_connection = True

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET

    def log_message(self, *arguments: object) -> None:
        """Nothing: the mistakes are told in the end."""


def run(case: dict[str, Any], command: list[str]) -> list[str]:
    """Runs one case; returns what was wrong."""
    running = Run(case)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"run": running}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    given = json.dumps({"case": case["name"], "server": f"http://127.0.0.1:{server.server_port}", "task": case["task"]})
    out, code, complaint = "", 1, ""
    try:
        running.client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        try:
            out, complaint = running.client.communicate(given + "\n", SECONDS)
        except subprocess.TimeoutExpired:
            running.wrong(f"expected a result within {SECONDS:g} s")
            running.client.kill()
            out, complaint = running.client.communicate()
        code = running.client.returncode
    except OSError as error:
        running.wrong(f"{command[0]}: {error}")
    server.shutdown()
    server.server_close()
    running.finish(out)
    last = complaint.strip().rpartition("\n")[2]
    if running.mistakes and code != 0:
        running.wrong(f"the client ended with {code if code > 0 else 'a signal'}{f': {last}' if last else ''}")
    return running.mistakes


def usage(message: str) -> None:
    print(f"{message}\nusage: python3 runner.py [--case NAME]... [--jobs N] -- COMMAND [ARGUMENT]...", file=sys.stderr)
    sys.exit(2)


def main() -> None:
    kit = json.loads((FOLDER / "kit.json").read_text(encoding="utf-8"))
    given = sys.argv[1:]
    place = given.index("--") if "--" in given else len(given)
    options, command = given[:place], given[place + 1 :]
    wanted: list[str] = []
    jobs = 4
    for name, value in zip(options[::2], [*options[1::2], ""], strict=False):
        if name == "--case":
            wanted.append(value)
        elif name == "--jobs" and value.isdecimal() and int(value):
            jobs = int(value)
        else:
            usage(f"{name}: unknown, or without its value")
    if not command:
        usage("no command of a client")
    if kit["form"] != FORM:
        usage(f"kit.json has the form {kit['form']}; this runner knows {FORM}")
    for name, digest in kit["files"].items():
        if hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() != digest:
            usage(f"{name} is not the file that kit.json names")
    for name in wanted:
        if not any(one["name"] == name for one in kit["cases"]):
            usage(f"--case {name}: there is no such case")
    chosen = [one for one in kit["cases"] if not wanted or one["name"] in wanted]

    def outcome(one: dict[str, str]) -> bool:
        mistakes = run(json.loads((FOLDER / one["file"]).read_text(encoding="utf-8")), command)
        lines = [f"{'FAIL' if mistakes else 'ok  '} {one['name']}: {one['title']}", *(f"       {mistake}" for mistake in mistakes)]
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()
        return not mistakes

    with ThreadPoolExecutor(jobs) as pool:
        passed = sum(pool.map(outcome, chosen))
    print(f"{passed} of {len(chosen)} cases")
    sys.exit(0 if passed == len(chosen) else 1)


if __name__ == "__main__":
    main()
