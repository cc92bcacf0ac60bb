"""From a target to an open connection: resolve once, check every address, connect to a checked one, check the
peer.

Nothing is resolved a second time, so a name that answers differently the next moment gains nothing (DNS
rebinding).
"""

import ipaddress
import socket
import ssl
import time
from datetime import date

from cryptography import x509

from apps.webhooks.sender.addresses import IPAddress, may_connect
from apps.webhooks.sender.deadline import Deadline
from apps.webhooks.sender.resolver import Lookup, resolve
from apps.webhooks.sender.target import Target

CERTIFICATE_EXPIRED = 10  # X509_V_ERR_CERT_HAS_EXPIRED


class AddressRefused(Exception):
    """The name leads to an address that is not public."""


class CertificateExpired(Exception):
    """`on` is the day, where it could be read."""

    def __init__(self, on: date | None) -> None:
        super().__init__(on)
        self.on = on


class Stopwatch:
    """Milliseconds from lap to lap."""

    def __init__(self) -> None:
        self._at = time.monotonic()

    def lap(self) -> int:
        before, self._at = self._at, time.monotonic()
        return round((self._at - before) * 1000)


def checked_addresses(
    target: Target, *, allow_local: bool, lookup: Lookup, deadline: Deadline
) -> list[IPAddress]:
    """Where the target may be reached.

    One address that may not be connected to condemns the name: AddressRefused.
    """
    literal = [target.address] if target.address else None
    addresses = literal or resolve(target.host, target.port, deadline, lookup)
    for address in addresses:
        if not may_connect(address, allow_local=allow_local):
            raise AddressRefused(str(address))
    return addresses


def connect(addresses: list[IPAddress], port: int, deadline: Deadline) -> tuple[socket.socket, IPAddress]:
    """A connection to the first address that takes one; a silent address gets its share of the time, not all
    of it.
    """
    failure: OSError | None = None
    for position, address in enumerate(addresses):
        share = deadline.remaining() / (len(addresses) - position)
        try:
            return _connect_to(address, port, share), address
        except OSError as refused:
            failure = refused
    assert failure is not None
    raise failure


def _connect_to(address: IPAddress, port: int, seconds: float) -> socket.socket:
    # Not socket.create_connection: that would resolve again.
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


def start_tls(
    sock: socket.socket, host: str, address: IPAddress, port: int, context: ssl.SSLContext, deadline: Deadline
) -> ssl.SSLSocket:
    """TLS for `host` over `sock`, the certificate verified; closes the socket when it fails."""
    try:
        sock.settimeout(deadline.remaining())
        return context.wrap_socket(sock, server_hostname=host)
    except ssl.SSLCertVerificationError as refused:
        sock.close()
        if refused.verify_code == CERTIFICATE_EXPIRED:
            raise CertificateExpired(_expired_on(host, address, port, deadline)) from refused
        raise
    except BaseException:
        sock.close()
        raise


def _expired_on(host: str, address: IPAddress, port: int, deadline: Deadline) -> date | None:
    """The last day of the certificate, read from a second handshake: a refused one does not show it.

    Nothing is sent.
    """
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with _connect_to(address, port, deadline.remaining()) as sock:
            sock.settimeout(deadline.remaining())
            with context.wrap_socket(sock, server_hostname=host) as wrapped:
                certificate = wrapped.getpeercert(binary_form=True) or b""
        return x509.load_der_x509_certificate(certificate).not_valid_after_utc.date()
    except (OSError, ValueError):
        return None
