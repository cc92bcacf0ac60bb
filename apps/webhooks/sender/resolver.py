"""Name look-ups within the deadline.

`getaddrinfo` cannot be interrupted, so it runs in a thread that may be left behind.
"""

import ipaddress
import socket
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from apps.webhooks.sender.addresses import IPAddress
from apps.webhooks.sender.deadline import Deadline, DeadlinePassed

Lookup = Callable[[str, int], list[str]]
"""Host and port to the addresses as text; raises OSError."""

# Look-ups left behind by a silent name server hold a thread each until it gives up; so many and no more.
_places = threading.BoundedSemaphore(128)


class NameNotResolved(Exception):
    """The name has no address."""


def system_lookup(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


def resolve(host: str, port: int, deadline: Deadline, lookup: Lookup) -> list[IPAddress]:
    """Every address of `host`, in the resolver's order. Raises NameNotResolved or DeadlinePassed."""
    if not _places.acquire(timeout=deadline.remaining()):
        raise DeadlinePassed
    answer: SimpleQueue[list[str] | Exception] = SimpleQueue()
    threading.Thread(
        target=_look_up, args=(lookup, host, port, answer), daemon=True, name="webhook-lookup"
    ).start()
    try:
        found = answer.get(timeout=deadline.remaining())
    except Empty:
        raise DeadlinePassed from None
    if isinstance(found, Exception) or not found:
        raise NameNotResolved(str(found))
    try:
        return [ipaddress.ip_address(text) for text in dict.fromkeys(found)]
    except ValueError as not_an_address:
        raise NameNotResolved(str(not_an_address)) from None


def _look_up(lookup: Lookup, host: str, port: int, answer: "SimpleQueue[list[str] | Exception]") -> None:
    try:
        answer.put(lookup(host, port))
    except Exception as failure:  # whatever it is, the waiting side must hear of it
        answer.put(failure)
    finally:
        _places.release()
