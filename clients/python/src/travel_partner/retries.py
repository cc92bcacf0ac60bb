"""Whether a call that failed is sent again, and when."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import httpx
import msgspec

from travel_partner import errors
from travel_partner.calls import Call, query_of
from travel_partner.response import Response

T = TypeVar("T")
log = logging.getLogger("travel_partner")

# The request cannot be sent at all: another attempt would fail too.
HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.TooManyRedirects)


@dataclass(frozen=True)
class Retries:
    """When a call is repeated. All in seconds, except `attempts`."""

    attempts: int = 4
    """How many times a call is sent at most; 1: no retries. Attempts that find an earlier one still running do not count."""
    first_wait: float = 0.5
    """The wait is random, between nothing and this, and doubles with each attempt (full jitter)."""
    longest_wait: float = 8.0
    longest_retry_after: float = 60.0
    """If the service asks for a longer wait, the call is not repeated; its error has the wait."""
    deadline: float = 120.0
    """After this no further attempt starts, and the last one is cut short."""


async def _asleep(seconds: float) -> None:
    import anyio  # what httpx itself runs on: asyncio or trio

    await anyio.sleep(seconds)


@dataclass(frozen=True)
class Clock:
    """Time and chance, which tests replace."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    asleep: Callable[[float], Awaitable[None]] = _asleep
    chance: Callable[[float, float], float] = random.uniform


PATIENT = Retries()
REAL_TIME = Clock()


class Attempts(Generic[T]):
    """One call, from its first attempt to its end. The request is the same each time, its Idempotency-Key included."""

    def __init__(self, call: Call[T], base_url: str, policy: Retries, clock: Clock) -> None:
        self._call, self._policy, self._clock = call, policy, clock
        self._headers = call.headers()
        self._request: dict[str, Any] = {
            "method": call.method,
            "url": base_url + call.path.partition("?")[0],
            "params": query_of(call),
            "content": call.content(),
        }
        self._ends = clock.now() + policy.deadline
        self._pieces: list[bytes] = []
        self._try_ends = self._ends
        self.count = 0
        self._told_to_wait = 0  # attempts that found the first one still running, for 45 seconds at most
        self.response: Response | None = None

    def begin(self) -> dict[str, Any]:
        """The arguments of httpx for the next attempt."""
        self.count += 1
        self.response = None
        seconds = self._call.seconds
        if self.count > 1:
            seconds = min(seconds, max(1.0, self._ends - self._clock.now()))
        self._pieces = []
        self._try_ends = self._clock.now() + seconds
        timeout = httpx.Timeout(seconds, connect=min(seconds, 10.0))
        return {**self._request, "headers": self._headers, "timeout": timeout}

    def take(self, piece: bytes) -> None:
        """The next piece of the body. Raises ReadTimeout where the time is over: httpx itself bounds only each piece's."""
        if self._clock.now() > self._try_ends:
            raise httpx.ReadTimeout("The answer was not there in time.")
        self._pieces.append(piece)

    def read(self, answer: httpx.Response) -> T:
        """The value that the call asked for, once all pieces are taken. Raises what `wait_after` takes."""
        headers = {name.lower(): value for name, value in answer.headers.items()}
        self.response = Response(answer.status_code, headers, b"".join(self._pieces), self.count, self._key)
        if self._call.method == "DELETE" and self.count > 1 and answer.status_code == 404:
            return cast("T", None)  # an earlier attempt deleted it, and its response was lost
        return self._call.read(self.response)

    def wait_after(self, cause: Exception) -> float:
        """Seconds until the next attempt. Raises the error of the call if no attempt is left."""
        failure = self._failure(cause)
        wait = self._wait(failure) if self._may_repeat(failure, cause) else None
        if wait is None:
            if failure is cause:
                raise failure
            raise failure from cause
        log.info("%s %s: %s; again in %.1f s", self._call.method, self._call.path, failure, wait)
        return wait

    @property
    def _key(self) -> str | None:
        return self._headers.get("Idempotency-Key")

    def _failure(self, cause: Exception) -> errors.TravelPartnerError:
        if isinstance(cause, errors.TravelPartnerError):
            return cause
        kind = errors.TimedOutError if isinstance(cause, httpx.TimeoutException) else errors.NoAnswerError
        why = "half an answer" if isinstance(cause, msgspec.DecodeError) else type(cause).__name__
        return kind(f"{self._call.method} {self._call.path}: {why}", self.count, self._key)

    def _may_repeat(self, failure: errors.TravelPartnerError, cause: Exception) -> bool:
        if isinstance(failure, errors.NoAnswerError):
            return not isinstance(cause, HOPELESS)
        if not isinstance(failure, errors.ApiError):
            return False
        if failure.status == 429:  # without a time to come back it is the day's quota
            return failure.retry_after is not None
        running = isinstance(failure, errors.IdempotencyKeyInProgressError)
        return running or failure.status == 408 or failure.status >= 500

    def _wait(self, failure: errors.TravelPartnerError) -> float | None:
        policy = self._policy
        self._told_to_wait += isinstance(failure, errors.IdempotencyKeyInProgressError)
        if policy.attempts <= 1 or self.count - self._told_to_wait >= policy.attempts:
            return None
        wait = self._clock.chance(0.0, min(policy.longest_wait, policy.first_wait * 2 ** (self.count - 1)))
        asked = failure.retry_after if isinstance(failure, errors.ApiError) else None
        if asked is not None:
            if asked > policy.longest_retry_after:
                return None
            wait += asked
        return wait if self._clock.now() + wait < self._ends else None


FAILURES = (httpx.RequestError, msgspec.DecodeError, errors.TravelPartnerError)
"""What sending and reading raise, and `Attempts.wait_after` takes."""
