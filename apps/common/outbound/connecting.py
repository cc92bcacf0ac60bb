"""From a host to an open socket: look the name up once, check every address, connect to a checked one, check the peer.

No name is looked up a second time, so a name server that answers differently the next moment gains nothing (DNS rebinding).
"""

import ipaddress
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass

from apps.common.outbound.addresses import IPAddress
from apps.common.outbound.deadline import Deadline
from apps.common.outbound.http_exchange import Exchange, Stopwatch
from apps.common.outbound.name_lookup import Resolver, as_address

MayConnect = Callable[[IPAddress], bool]


class AddressRefused(Exception):
    """The name leads to an address that must not be connected to."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request goes. `host` is a name, or an IP address without brackets."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Connector:
    """Opens sockets. `may_connect` says of each address whether it may be connected to."""

    resolver: Resolver
    context: ssl.SSLContext
    may_connect: MayConnect

    def open(self, origin: Origin, exchange: Exchange) -> socket.socket:
        """A socket to `origin`, with TLS verified for its host where the scheme is https.

        Raises AddressRefused and OSError: NameNotResolved, TimeoutError, ssl.SSLError and others.
        """
        watch, timings = Stopwatch(), exchange.timings
        addresses = self._checked_addresses(origin, exchange)
        looked_up_ms = watch.lap()
        timings.lookup_ms = looked_up_ms if as_address(origin.host) is None else None
        sock, exchange.peer = connect(addresses, origin.port, exchange.seconds_to_connect())
        timings.connect_ms = watch.lap()
        if origin.scheme == "https":
            sock = self._start_tls(sock, origin.host, exchange)
            timings.tls_ms = watch.lap()
        return sock

    def _checked_addresses(self, origin: Origin, exchange: Exchange) -> list[IPAddress]:
        """One address that may not be connected to condemns the name. Raises AddressRefused."""
        addresses = self.resolver.addresses_of(origin.host, origin.port, exchange.seconds_to_connect())
        for address in addresses:
            if not self.may_connect(address):
                raise AddressRefused(str(address))
        return addresses

    def _start_tls(self, sock: socket.socket, host: str, exchange: Exchange) -> ssl.SSLSocket:
        """Closes the socket when it fails."""
        try:
            sock.settimeout(exchange.seconds_to_connect())  # of the handshake as a whole
            return self.context.wrap_socket(sock, server_hostname=host)
        except BaseException:
            sock.close()
            raise


def connect(addresses: list[IPAddress], port: int, seconds: float) -> tuple[socket.socket, IPAddress]:
    """A socket to the first address that accepts; one that does not answer gets its share of `seconds`, not all of them.

    Raises OSError, and AddressRefused where the socket's peer is another address.
    """
    deadline = Deadline(seconds)
    failure: OSError | None = None
    for position, address in enumerate(addresses):
        share = deadline.at_most(seconds) / (len(addresses) - position)
        try:
            return connect_to(address, port, share), address
        except OSError as refused:
            failure = refused
    assert failure is not None
    raise failure


def connect_to(address: IPAddress, port: int, seconds: float) -> socket.socket:
    # Not socket.create_connection: that would look the name up again.
    sock = socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.connect((str(address), port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if ipaddress.ip_address(sock.getpeername()[0]) != address:
            raise AddressRefused(sock.getpeername()[0])
    except BaseException:
        sock.close()
        raise
    return sock
