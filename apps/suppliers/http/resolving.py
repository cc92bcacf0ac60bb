"""Name look-ups that end in time: `getaddrinfo` cannot be interrupted, so it runs in a thread that may be left behind."""

import socket
import threading
from queue import Empty, SimpleQueue
from typing import Any

Address = tuple[socket.AddressFamily, Any]

# A thread left behind by a silent name server lives until the resolver gives up: so many and no more.
_places = threading.BoundedSemaphore(32)


def addresses_of(host: str, port: int, seconds: float) -> list[Address]:
    """Where `host` may be reached, in the resolver's order. Raises OSError (TimeoutError where it takes longer)."""
    if not _places.acquire(timeout=seconds):
        raise TimeoutError("too many name look-ups are under way")
    answer: SimpleQueue[list[Address] | OSError | UnicodeError] = SimpleQueue()
    looking = threading.Thread(
        target=_look_up, args=(host, port, answer), daemon=True, name="supplier-lookup"
    )
    try:
        looking.start()
    except RuntimeError as error:  # the machine has no more threads
        _places.release()
        raise OSError(str(error)) from error
    try:
        found = answer.get(timeout=seconds)
    except Empty:
        raise TimeoutError("the name look-up takes too long") from None
    if isinstance(found, OSError):
        raise found
    if isinstance(found, UnicodeError):  # no such name can exist
        raise OSError(str(found))
    return found


def _look_up(host: str, port: int, answer: "SimpleQueue[list[Address] | OSError | UnicodeError]") -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        answer.put([(family, address) for family, *_, address in found])
    except (OSError, UnicodeError) as failure:
        answer.put(failure)
    finally:
        _places.release()
