"""Which addresses a partner may send us to: public unicast, nothing that leads into our own network.

The ranges are written out, because `ipaddress.is_global` calls multicast, 6to4 and NAT64 global. IPv6 is an
allow-list: outside 2000::/3 nothing is public, which refuses the mapped, compatible, NAT64, local and
multicast ranges at once.

A name is looked up in time: `getaddrinfo` cannot be interrupted, so it runs in a thread that may be left behind.
"""

import ipaddress
import socket
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from apps.common.outbound import DeadlinePassed

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# IANA's special-purpose registry, what is not unicast, and addresses that mean a cloud's platform to its machines. The clouds'
# other metadata services are within these ranges: 169.254.169.254, 100.100.100.200 (Alibaba), 192.0.0.192 (Oracle).
REFUSED_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared, behind carriers' NAT
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local: the clouds' metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        # Clouds' own services, which have public addresses and are reached only from within that cloud.
        "161.26.0.0/16",  # IBM: DNS, time, mirrors
        "166.8.0.0/14",  # IBM: service endpoints
        "168.63.129.16/32",  # Azure: the platform of the virtual machine (WireServer, DNS)
        "199.36.153.4/30",  # Google: restricted.googleapis.com
        "199.36.153.8/30",  # Google: private.googleapis.com
    )
)
UNICAST_V6 = ipaddress.IPv6Network("2000::/3")
REFUSED_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "2600:2d00:2:1000::/56",  # Google: restricted.googleapis.com
        "2600:2d00:2:2000::/56",  # Google: private.googleapis.com
        "3fff::/20",  # documentation
    )
)
ISATAP = {0x0000_5EFE, 0x0200_5EFE}  # the upper half of an interface id whose lower half is an IPv4 address
LOOPBACK = (ipaddress.IPv4Network("127.0.0.0/8"), ipaddress.IPv6Network("::1/128"))


def may_connect(address: IPAddress, *, allow_local: bool) -> bool:
    """Whether `address` is public, or loopback in its plain form where `allow_local` is set. This host's own are refused."""
    if any(address in network for network in LOOPBACK):
        return allow_local
    return is_public(address) and not _is_own(address)


def is_public(address: IPAddress) -> bool:
    """Whether `address` is public unicast, with no other address embedded that is not."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in REFUSED_V4)
    if address.scope_id is not None or address not in UNICAST_V6:
        return False
    if any(address in network for network in REFUSED_V6):
        return False
    embedded = _isatap(address)
    return embedded is None or is_public(embedded)


def _isatap(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    number = int(address)
    if (number >> 32) & 0xFFFF_FFFF not in ISATAP:
        return None
    return ipaddress.IPv4Address(number & 0xFFFF_FFFF)


def _is_own(address: IPAddress) -> bool:
    """Whether `address` is one of this host's: only those can be bound to."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


Lookup = Callable[[str, int], list[str]]
"""Host and port to the addresses as text; raises OSError, or UnicodeError for a name that cannot exist."""

Found = SimpleQueue[list[str] | Exception]


class NameNotResolved(OSError):
    """The name has no address."""


class NoThreadLeft(OSError):
    """This machine cannot start another thread."""


def system_lookup(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


class Resolver:
    """Looks names up in at most `threads` threads: a silent name server keeps a thread until the system's resolver gives up.

    Safe for threads.
    """

    def __init__(self, *, threads: int, lookup: Lookup = system_lookup) -> None:
        self._free = threading.BoundedSemaphore(threads)
        self._lookup = lookup

    def addresses_of(self, host: str, port: int, seconds: float) -> list[IPAddress]:
        """The addresses of `host`, once each, in the resolver's order; the host itself where it is an address.

        Raises NameNotResolved, DeadlinePassed where it takes more than `seconds`, NoThreadLeft.
        """
        literal = as_address(host)
        if literal is not None:
            return [literal]
        found = self._found(host, port, seconds)
        addresses = [as_address(text) for text in dict.fromkeys(found)]
        known = [address for address in addresses if address is not None]
        if not known or len(known) < len(addresses):
            raise NameNotResolved(f"{len(found)} answers, {len(known)} of them addresses")
        return known

    def _found(self, host: str, port: int, seconds: float) -> list[str]:
        if not self._free.acquire(timeout=seconds):
            raise DeadlinePassed("too many name look-ups are in progress")
        answer: Found = SimpleQueue()
        thread = threading.Thread(
            target=self._look_up, args=(host, port, answer), daemon=True, name="name-lookup"
        )
        try:
            thread.start()
        except RuntimeError as error:
            self._free.release()
            raise NoThreadLeft(str(error)) from error
        try:
            found = answer.get(timeout=seconds)
        except Empty:
            raise DeadlinePassed("the name look-up takes too long") from None
        if isinstance(found, Exception):
            raise NameNotResolved(str(found)) from found
        return found

    def _look_up(self, host: str, port: int, answer: Found) -> None:
        try:
            answer.put(self._lookup(host, port))
        except Exception as failure:  # whatever it is, the waiting thread must learn of it
            answer.put(failure)
        finally:
            self._free.release()


def as_address(text: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
