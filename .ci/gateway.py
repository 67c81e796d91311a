"""Do the scripts of examples/ read streams through a gateway as docs/contract.md says?"""

import http.client
import http.server
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

from proof import record

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMED = b'event: later\ndata: {"told": 1}\n\ndata: {"told": 2}\n: a comment\nevent: later\n\n'
HEARD = """
import asking
for last, commit in asking.commits("/v1/matches/{}/stream?after=0"):
    print(last, commit["last_version"], commit["commit"])
"""


class Gateway(http.server.BaseHTTPRequestHandler):
    """Shows a server below a path. It answers the next streams as it is told, and adds messages with a name to the others."""

    server_address: str
    answers: list[tuple[int, str]] = []
    """Statuses, each with its Retry-After."""

    def do_GET(self) -> None:
        within = urllib.parse.urlsplit(self.path).path
        if not within.startswith("/behind/"):
            self.send_error(404)
            return
        is_stream = within.endswith("/stream")
        if is_stream and self.answers:
            status, wait = self.answers.pop(0)
            self.send_response(status)
            self.send_header("Retry-After", wait)
            self.end_headers()
            self.wfile.write(b'{"code": "rate_limited"}')
            return
        server = http.client.HTTPConnection(self.server_address)
        server.request("GET", self.path.removeprefix("/behind"))
        answer = server.getresponse()
        text = answer.read()
        server.close()
        self.send_response(answer.status)
        self.end_headers()
        if is_stream and answer.status == 200:
            text = NAMED + text
        self.wfile.write(text)

    def log_message(self, format: str, *args) -> None:
        pass


def check(base: str, match: str, last: int) -> None:
    """Reads the stream of a finished match with this many commits."""
    Gateway.server_address = urllib.parse.urlsplit(base).netloc
    gateway = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
    threading.Thread(target=gateway.serve_forever, daemon=True).start()
    address, commits = f"http://127.0.0.1:{gateway.server_port}/behind", list(range(1, last + 1))

    Gateway.answers, begun = [(429, "2"), (503, "2")], time.monotonic()
    server = record.Server(address, None)
    assert [entry["commit"] for entry in record.live(server, match)] == commits
    assert not Gateway.answers and time.monotonic() - begun >= 4, "it asked again before it was told to"
    Gateway.answers = [(503, "3600")]
    try:
        next(record.live(server, match))
        raise AssertionError("it asked again within the hour")
    except record.Unusable as error:
        assert "503" in str(error), error

    # As the scripts do that narrate matches.
    Gateway.answers = [(429, "1")]
    script = [sys.executable, "-c", HEARD.format(match), address]
    heard = subprocess.run(script, cwd=EXAMPLES, capture_output=True, text=True, timeout=60)
    lines = [[int(number) for number in line.split()] for line in heard.stdout.splitlines()]
    assert [commit for _, _, commit in lines] == commits, heard.stdout + heard.stderr
    assert all(last == version for last, version, _ in lines), heard.stdout
    gateway.shutdown()
    gateway.server_close()
