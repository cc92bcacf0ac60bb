"""A call from its bytes to the bytes of its answer: what a web process does for it, without the sockets."""

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from itertools import count
from typing import Any

from tests.bench import stays
from tests.bench.load import Shot
from tests.bench.stays import ACCOUNT, BOOKING, FLIGHTS, SEARCH

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Connection:
    """Raises RuntimeError for an answer that is no success."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def ask(self, raw: bytes) -> int:
        """How many bytes the body of the answer has."""
        environ = environ_of(raw)
        started: list[str] = []
        result = self._application(environ, lambda status, headers, exc_info=None: started.append(status))
        body = b"".join(result)
        result.close()  # type: ignore[attr-defined]  # Django's response
        if not started[0].startswith("2"):
            raise RuntimeError(f"{environ['PATH_INFO']} returned {started[0]}: {body.decode()}")
        return len(body)


def environ_of(raw: bytes) -> dict[str, Any]:
    """The WSGI environ of a request, with little care: the bench made it."""
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    path, _, query = target.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.input": BytesIO(body),
    }
    for line in lines:
        name, _, value = line.partition(": ")
        environ["HTTP_" + name.upper().replace("-", "_")] = value
    environ["CONTENT_LENGTH"] = environ.pop("HTTP_CONTENT_LENGTH", "")
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    return environ


def requests_of(secret: str, rate_id: str) -> dict[str, Callable[[], bytes]]:
    """What makes another request of each operation, with an Idempotency-Key of its own."""
    search, booking = json.dumps(stays.search("Paris")), json.dumps(stays.booking(rate_id))
    shots = {
        ACCOUNT: Shot.get(ACCOUNT, "/v1/account", secret),
        SEARCH: Shot.post(SEARCH, "/v1/hotels/searches", secret, search),
        FLIGHTS: Shot.post(FLIGHTS, "/v1/flights/searches", secret, json.dumps(stays.flights())),
        BOOKING: Shot.post(BOOKING, "/v1/hotels/bookings", secret, booking),
    }
    numbers = count()

    def maker(raw: str) -> Callable[[], bytes]:
        return lambda: raw.format(unique=f"parts-{next(numbers):06}").encode()

    return {name: maker(shot.raw[0]) for name, shot in shots.items()}
