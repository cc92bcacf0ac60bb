"""What the client's tests share: a service that misbehaves, and a clock on which nobody waits."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from travel_partner import Clock, Retries, TravelPartner

from tests.support.wire import Wire, reply, wire

KEY = "svc_test_secret"


class StillClock:
    """Time passes by waiting only; chance takes the longest wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now, self.sleep, self.asleep, lambda _, longest: longest)


@pytest.fixture
def still() -> StillClock:
    return StillClock()


@pytest.fixture
def server() -> Iterator[Wire]:
    """Plays what a test says."""
    with wire() as running:
        yield running


@pytest.fixture
def client(server: Wire, still: StillClock) -> Iterator[TravelPartner]:
    with TravelPartner(KEY, server.url, clock=still.clock) as client:
        yield client


@pytest.fixture
def patient(server: Wire, still: StillClock) -> Callable[..., TravelPartner]:
    """`patient(attempts=2)`: a client of such patience."""
    return lambda **policy: TravelPartner(KEY, server.url, retries=Retries(**policy), clock=still.clock)


Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def scripted(still: StillClock) -> Callable[[Handler], TravelPartner]:
    """A client whose service is a function of the request."""

    def build(handler: Handler) -> TravelPartner:
        http = httpx.Client(transport=httpx.MockTransport(handler))
        return TravelPartner(KEY, "http://service", http=http, clock=still.clock)

    return build


def answer(status: str, body: bytes = b"{}", **headers: str) -> bytes:
    """One answer of a connection that ends with it."""
    return reply(status, body, Connection="close", **headers)


def refused(kind: str) -> bytes:
    """The body of a refusal."""
    return b'{"error": {"type": "%s", "message": "No.", "requestId": "r-1"}}' % kind.encode()


def keys(server: Wire) -> list[str]:
    """The Idempotency-Key of each request that came."""
    return [
        found[1]
        for request in server.heard
        if (found := re.search(r"(?im)^idempotency-key: (\S+)", request.decode()))
    ]
