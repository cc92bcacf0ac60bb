"""Name look-ups that end in time: `getaddrinfo` cannot be interrupted, so it runs in a thread that may be left behind."""

import ipaddress
import socket
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from apps.common.outbound.addresses import IPAddress
from apps.common.outbound.deadline import DeadlinePassed

Lookup = Callable[[str, int], list[str]]
"""Host and port to the addresses as text; raises OSError, or UnicodeError for a name that cannot exist."""

Found = SimpleQueue[list[str] | Exception]


class NameNotResolved(OSError):
    """The name has no address."""


class NoThreadLeft(OSError):
    """This machine cannot start another thread."""


def system_lookup(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
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
            raise DeadlinePassed("too many name look-ups are under way")
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
    """None where `text` is not an IP address."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
