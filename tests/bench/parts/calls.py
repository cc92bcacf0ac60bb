"""A call from its bytes to the bytes of its answer: what a web process does for it, without the sockets."""

import json
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from config.web.answering import Started, outgoing
from config.web.environ import environ_of
from config.web.limits import configured
from config.web.reading import RequestReader
from tests.bench import stays
from tests.bench.load import Shot
from tests.bench.stays import ACCOUNT, BOOKING, FLIGHTS, SEARCH

ADDRESS, SERVER = "127.0.0.1", ("127.0.0.1", 8000)

Application = Callable[[dict[str, Any], Started], Iterable[bytes]]


class Connection:
    """Raises RuntimeError for an answer that is no success."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._limits = configured()
        self._reader = RequestReader(self._limits)

    def ask(self, raw: bytes) -> int:
        """How many bytes the answer has."""
        self._reader.feed(raw)
        request = self._reader.ready.popleft()
        started = Started()
        result = self._application(environ_of(request, ADDRESS, SERVER), started)
        answer = outgoing(request, started, result, last=False, memory_bytes=self._limits.memory_answer_bytes)
        result.close()  # type: ignore[attr-defined]  # Django's response
        if not started.status.startswith("2"):
            said = bytes(answer.pieces[-1]).decode()
            raise RuntimeError(f"{request.method} {request.path} answered {started.status}: {said}")
        return answer.size


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
