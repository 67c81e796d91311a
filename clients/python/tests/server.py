"""The real server, and a way to it that can be cut."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import threading
from types import TracebackType

PROGRAM = os.environ["MUNINN_PROGRAM"]


class Server:
    """`muninn serve` on a free port, with a store of its own."""

    def __enter__(self) -> Server:
        self._data = tempfile.TemporaryDirectory()
        arguments = ["serve", "--listen", "127.0.0.1:0", "--data", self._data.name, "--log", "warn", "--heartbeat", "1", "--bot-pause", "0"]
        self._process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        self.address = self._process.stdout.readline().strip().removeprefix("listening on ")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()
        self._data.cleanup()


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
