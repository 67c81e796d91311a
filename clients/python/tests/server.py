"""The real server, and a way to it that can be cut."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

import httpx

PROGRAM = os.environ["MUNINN_PROGRAM"]


class Server:
    """`muninn serve` on a free port, with a store of its own or this one."""

    def __init__(self, data: Path | None = None) -> None:
        self._given = data

    def __enter__(self) -> Server:
        self._data = tempfile.TemporaryDirectory()
        arguments = ["serve", "--listen", "127.0.0.1:0", "--data", str(self._given or self._data.name), "--log", "warn", "--heartbeat", "1", "--bot-pause", "0"]
        self._process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        self.address = self._process.stdout.readline().strip().removeprefix("listening on ")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()
        self._data.cleanup()


def answering(status: int, kind: str, body: bytes) -> ThreadingHTTPServer:
    """A server that is not Muninn."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Proxy:
    """Like nginx while the server restarts: answers with pages of its own as long as there are some, and then passes on."""

    def __init__(self, address: str) -> None:
        self.pages: list[tuple[int, dict[str, str]]] = []
        """Statuses and headers of the next answers,"""
        self.page = b"<html>Bad Gateway</html>"
        """their body,"""
        self.only = ""
        """and what the paths have that are answered so."""
        self.damaged: list[str] | None = None
        """As if these matches were damaged."""
        self.paths: list[str] = []
        """What was asked for."""
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._pass_on(None)

            def do_POST(self) -> None:
                self._pass_on(self.rfile.read(int(self.headers["content-length"])))

            def log_message(self, format: str, *args: object) -> None:
                pass

            def _pass_on(self, body: bytes | None) -> None:
                proxy.paths.append(self.path)
                if proxy.pages and proxy.only in self.path:
                    status, headers = proxy.pages.pop(0)
                    self._answer(status, {"content-type": "text/html"} | headers, [proxy.page])
                    return
                if proxy.damaged is not None and self.path.startswith("/v1/damaged"):
                    page = {"damaged": len(proxy.damaged), "items": [{"match": match} for match in proxy.damaged], "next": None}
                    self._answer(200, {"content-type": "application/json"}, [json.dumps(page).encode()])
                    return
                headers = {name: value for name, value in self.headers.items() if name.lower() in ("authorization", "content-type", "idempotency-key")}
                # The server may end while it sends a stream.
                with suppress(OSError, httpx.TransportError), httpx.stream(self.command, address + self.path, content=body, headers=headers) as answer:
                    kept = {name: answer.headers[name] for name in ("content-type", "feed-position", "damaged") if name in answer.headers}
                    if proxy.damaged is None:
                        self._answer(answer.status_code, kept, answer.iter_bytes())
                    elif self.path == "/v1/tables":
                        listed = json.loads(answer.read()) | {"damaged": len(proxy.damaged)}
                        self._answer(answer.status_code, kept, [json.dumps(listed).encode()])
                    else:
                        self._answer(answer.status_code, kept | {"damaged": str(len(proxy.damaged))}, answer.iter_bytes())

            def _answer(self, status: int, headers: dict[str, str], body: Iterable[bytes]) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in body:
                    self.wfile.write(part)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Way:
    """Carries connections to a server until it is cut."""

    def __init__(self, address: str) -> None:
        host, port = address.removeprefix("http://").split(":")
        self._far = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._sockets: list[socket.socket] = []
        self.carried = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._far)
            self._sockets += [near, far]
            self.carried += 1
            for one, other in [(near, far), (far, near)]:
                threading.Thread(target=_pump, args=(one, other), daemon=True).start()

    def cut(self) -> None:
        """Cuts all connections; new ones may be made."""
        for one in self._sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._sockets.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()


def _pump(one: socket.socket, other: socket.socket) -> None:
    try:
        while data := one.recv(65536):
            other.sendall(data)
        other.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    one.close()
