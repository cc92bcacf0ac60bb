"""A server that follows a script byte by byte, one connection after the other: what no well-behaved server would do."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

from tests.support.ports import free_port

Act = Callable[[socket.socket], None]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Wire:
    """Plays `acts` in turn, the last one for ever; each may serve several connections of its own. `heard` are the requests."""

    def __init__(self, *acts: Act) -> None:
        self.acts = list(acts)
        self.heard: list[bytes] = []
        self.connections = 0
        self.over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self.over.set()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                act = self.acts[min(self.connections, len(self.acts) - 1)]
                self.connections += 1
                threading.Thread(target=self._play, args=(act, sock), daemon=True).start()

    def _play(self, act: Act, sock: socket.socket) -> None:
        with suppress(OSError), sock:
            act(sock)

    def hear(self, sock: socket.socket) -> bytes:
        """One request, to the end of its body; empty when the caller has hung up."""
        request = b""
        while b"\r\n\r\n" not in request:
            piece = sock.recv(65536)
            if not piece:
                return b""
            request += piece
        head, _, body = request.partition(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
        )
        while len(body) < length:
            body += sock.recv(65536)
        self.heard.append(head + b"\r\n\r\n" + body)
        return self.heard[-1]

    # --- acts ---------------------------------------------------------------------------------------------------

    def answers(self, *answers: bytes) -> Act:
        """One request after the other over one connection; then it hangs up."""

        def act(sock: socket.socket) -> None:
            for answer in answers:
                if self.hear(sock):
                    sock.sendall(answer)

        return act

    def serves(self, answer: bytes = OK) -> Act:
        """Every request over one connection, until the caller hangs up."""

        def act(sock: socket.socket) -> None:
            while self.hear(sock):
                sock.sendall(answer)

        return act

    def hangs(self, sock: socket.socket) -> None:
        """Takes the request and says nothing."""
        self.hear(sock)
        self.over.wait()

    def resets(self, sock: socket.socket) -> None:
        """Takes the request and cuts the connection."""
        self.hear(sock)
        cut(sock)

    def trickles(self, start: bytes = b"") -> Act:
        """`start`, then a byte at a time for ever."""

        def act(sock: socket.socket) -> None:
            self.hear(sock)
            sock.sendall(start)
            while not self.over.wait(0.02):
                sock.sendall(b"x")

        return act


def cut(sock: socket.socket) -> None:
    """Closes with a reset instead of an end."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def reply(status: str, body: bytes = b"{}", **headers: str) -> bytes:
    """`Retry_After="1"` becomes the header Retry-After."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


@contextmanager
def wire() -> Iterator[Wire]:
    server = Wire()
    try:
        yield server
    finally:
        server.close()


@cache
def nobody() -> str:
    """An address of this machine at which nobody listens, nor will."""
    return f"http://127.0.0.1:{free_port()}"
