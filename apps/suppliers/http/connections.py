"""`requests` over connections that keep to the deadline of the exchange under way and tell it when sending begins."""

import http.client
import io
import socket
from typing import TYPE_CHECKING, Any

import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

from apps.suppliers.http.exchange import Exchange, current
from apps.suppliers.http.resolving import addresses_of

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    _Base = HTTPConnection
    _PoolBase = urllib3.HTTPConnectionPool
else:
    _Base = _PoolBase = object


class _Timely(_Base):
    """What plain and TLS connections add: connect, send and receive under the deadline."""

    def _new_conn(self) -> socket.socket:
        exchange = current()
        try:
            addresses = addresses_of(self._dns_host, self.port or 0, exchange.seconds_to_connect())
            sock = _connected(addresses, exchange)
        except TimeoutError as error:
            raise ConnectTimeoutError(self, f"{self.host} did not let us connect in time") from error
        except OSError as error:
            raise NewConnectionError(self, f"{self.host} cannot be reached: {error}") from error
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # What TLS says to greet may take as long as connecting; the handshake's own timeout is a total one.
        sock.settimeout(exchange.seconds_to_connect())
        return sock

    def send(self, data: Any) -> None:
        exchange = current()
        if self.sock is None:
            self.connect()
        exchange.began = True
        rest = memoryview(data)
        while rest:  # not sendall: over TLS its timeout is per write, not total
            self.sock.settimeout(exchange.seconds_to_wait())
            rest = rest[self.sock.send(rest) :]

    def response_class(self, sock: socket.socket, *args: Any, **kwargs: Any) -> http.client.HTTPResponse:  # type: ignore[override]
        return http.client.HTTPResponse(_Wire(sock, current()), *args, **kwargs)  # type: ignore[arg-type]


def _connected(addresses: list[Any], exchange: Exchange) -> socket.socket:
    """A connection to the first address that takes one; a silent one gets its share of the time, not all of it."""
    failure: OSError = OSError("the name has no address")
    share = exchange.seconds_to_connect() / max(1, len(addresses))
    for family, address in addresses:
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.settimeout(share)
            sock.connect(address)
            return sock
        except OSError as refused:
            sock.close()
            failure = refused
    raise failure


class _Incoming(io.RawIOBase):
    """The socket's bytes; each read waits no longer than the deadline allows."""

    def __init__(self, sock: socket.socket, exchange: Exchange) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)  # keeps the socket open until the answer is read
        self._exchange = exchange

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        self._sock.settimeout(self._exchange.seconds_to_wait())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Wire:
    """What `http.client` asks of a socket: a file to read from."""

    def __init__(self, sock: socket.socket, exchange: Exchange) -> None:
        self._incoming = _Incoming(sock, exchange)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._incoming)


class _PlainConnection(_Timely, HTTPConnection):
    pass


class _TlsConnection(_Timely, HTTPSConnection):
    pass


class _Pool(_PoolBase):
    def _get_conn(self, timeout: float | None = None) -> Any:
        connection = super()._get_conn(timeout)
        if current().fresh:
            connection.close()  # it connects anew when it is used
        return connection


class _PlainPool(_Pool, urllib3.HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _TlsPool(_Pool, urllib3.HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


class TimelyAdapter(HTTPAdapter):
    """Mounted on a session for `http://` and `https://`."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _TlsPool}
