"""Who is let in: new connections from the listeners, within the bounds of an address and of the process."""

import contextlib
import logging
import select
import socket
from collections.abc import Iterable

from config.web.connection import Connection
from config.web.connections import Connections
from config.web.limits import Limits

logger = logging.getLogger(__name__)

READ = select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLONESHOT
ACCEPT = select.EPOLLIN | select.EPOLLONESHOT
"""One thread at a time. Two that welcome connections at once each find the last place free, or end the same one for room."""
ACCEPT_AT_ONCE = 4


class Listeners:
    """The sockets that connections come in by."""

    def __init__(
        self,
        listeners: Iterable[socket.socket],
        epoll: select.epoll,
        connections: Connections,
        limits: Limits,
    ) -> None:
        self._listeners = {listener.fileno(): listener for listener in listeners}
        self._epoll = epoll
        self._connections = connections
        self._limits = limits

    def __contains__(self, descriptor: int) -> bool:
        return descriptor in self._listeners

    def open(self) -> None:
        for descriptor, listener in self._listeners.items():
            listener.setblocking(False)
            # What the system keeps of an answer is memory as well, and a reader can be told from one who does not read.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.system_bytes)
            self._epoll.register(descriptor, ACCEPT)

    def close(self) -> None:
        """Let nobody in any more. The sockets stay: other processes listen on them too."""
        for descriptor in self._listeners:
            with contextlib.suppress(OSError):
                self._epoll.unregister(descriptor)

    def accept_some(self, descriptor: int) -> None:
        """Those who wait, a few at most; then whichever thread is free goes on."""
        listener = self._listeners[descriptor]
        try:
            self._accept(listener)
        finally:
            with contextlib.suppress(OSError):  # a process that stops accepts nobody any more
                self._epoll.modify(listener, ACCEPT)

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(ACCEPT_AT_ONCE):
            try:
                sock, address = listener.accept()
            except (BlockingIOError, ConnectionAbortedError, InterruptedError):
                return
            except OSError as error:  # no descriptors left: make room
                logger.warning("a connection could not be accepted: %s", error)
                self._make_room()
                return
            try:
                self._welcome(sock, address[0] if isinstance(address, tuple) else "")
            except OSError:  # it has gone already
                sock.close()

    def _welcome(self, sock: socket.socket, peer: str) -> None:
        if self._connections.of_address(peer) >= self._limits.connections_of_address:
            sock.close()
            return
        if len(self._connections) >= self._limits.connections:
            self._make_room()
        sock.setblocking(False)
        name = sock.getsockname()
        if isinstance(name, tuple):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(
            sock, peer, name[:2] if isinstance(name, tuple) else ("localhost", 80), self._limits
        )
        self._connections.add(connection)
        self._epoll.register(connection.fd, READ)

    def _make_room(self) -> None:
        """End the connection that is missed least."""
        connection = self._connections.least_missed()
        if connection is not None:
            connection.end(silently=True)
