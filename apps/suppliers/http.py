"""The HTTP client of all connectors: bounded in time, size and number, and exact about whether a request was sent.

`SupplierHTTP` makes a call, `Limits` bounds it, `all_within` bounds several calls together, `Reply` is the answer. Statuses are
not interpreted: any complete HTTP answer is a `Reply`, and the connector decides what it means. Without a complete answer a call
ends in one of two ways. `Unavailable`: certainly nothing happened. `OutcomeUnknown`, of writes only: the request may have
arrived. Connections are `apps.common.outbound`.
"""

import json as json_text
import logging
import random
import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import count
from typing import Any, NoReturn, TypedDict, Unpack
from urllib.parse import urlsplit

import requests
from prometheus_client import Counter, Histogram
from urllib3 import HTTPHeaderDict

from apps.common import tracing
from apps.common.metrics import SECONDS
from apps.common.outbound import Deadline
from apps.common.outbound.answer import BadAnswer, read_body
from apps.common.outbound.connection import Exchange, Request
from apps.suppliers import drift, recording
from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from apps.suppliers.isolation import BulkheadFull, State, state_of

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes of one call.

    `connect` bounds each stage of connecting, and `read` each wait for a byte. `total` bounds the whole call with its retries,
    to the last byte. `max_bytes` counts what an answer's body unpacks to.
    """

    connect: float = 5
    read: float = 30
    total: float | None = None
    max_bytes: int = 16 * MEBIBYTE

    @property
    def whole(self) -> float:
        """Seconds of the whole call: `total`, or `connect` and `read` together."""
        return self.connect + self.read if self.total is None else self.total


# Every way to write the character zero and half a surrogate pair. Whole pairs match as well; that only costs time. Two patterns,
# because one that begins with fixed bytes is searched for seven times as fast.
UNSTORABLE_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
UNSTORABLE_BYTES = re.compile(rb"\xed[\xa0-\xbf]")


class Unreadable(ValueError):
    """The body is not JSON."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`headers` are found in upper and lower case; `body` is unpacked; `seconds` is how long the call took.

    The body may contain travellers, so printing a reply does not show it.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    def json(self) -> Any:
        """The body as JSON: numbers with a point are Decimal, and characters that PostgreSQL cannot store are left out.

        Raises Unreadable.
        """
        try:
            value = json_text.loads(self.body, parse_float=Decimal, parse_constant=_no_number)
            unstorable = UNSTORABLE_ESCAPE.search(self.body) or UNSTORABLE_BYTES.search(self.body)
            return _storable(value) if unstorable else value
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{len(self.body)} bytes that are no JSON") from error

    def __repr__(self) -> str:
        return f"<Reply {self.status}, {len(self.body)} bytes>"


def _storable(value: Any) -> Any:
    """Without the character zero and half a surrogate pair in any text, names of fields included."""
    match value:
        case str():
            return value.encode(errors="ignore").decode().replace("\0", "")
        case list():
            return [_storable(item) for item in value]
        case dict():
            return {_storable(name): _storable(item) for name, item in value.items()}
        case _:
            return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


RETRIES = 2
RETRIED_STATUSES = frozenset({429, 502, 503, 504})
BACKOFF_SECONDS = (0.2, 0.8)
LONGEST_RETRY_AFTER = 10.0


def pause_before(retry: int, headers: Mapping[str, str]) -> float | None:
    """Seconds to wait before the `retry`-th retry (from 1); None where it is not sent again.

    At least what the answer says (`retry_after`), and a random part more, so that callers that were refused together do not come
    back together; None where that is too long.
    """
    if retry > RETRIES:
        return None
    backoff = BACKOFF_SECONDS[retry - 1] * random.uniform(0.5, 1.5)
    asked = retry_after(headers)
    if asked is None:
        return backoff
    return asked + backoff if asked <= LONGEST_RETRY_AFTER else None


def about_waiting(status: int, headers: Mapping[str, str]) -> Mapping[str, str]:
    """The headers that say how long to wait. Duffel's answers all have `ratelimit-reset`: it is a wait after a 429 only."""
    if status == 429:
        return headers
    return {name: headers[name] for name in ("Retry-After", "Date") if name in headers}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """`Retry-After`, else `ratelimit-reset`, in seconds: a number, or a date, which is compared with the answer's own `Date`."""
    value = (headers.get("Retry-After") or headers.get("ratelimit-reset") or "").strip()
    if value.isdecimal():
        return float(value)
    try:
        until, sent = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("Date", ""))
        return max(0.0, (until - sent).total_seconds())
    except (TypeError, ValueError, OverflowError):  # no date, or one with a time zone and one without
        return None


_bound: ContextVar[Deadline | None] = ContextVar("bound_of_all_calls", default=None)


@contextmanager
def all_within(seconds: float) -> Iterator[None]:
    """Every call of the block ends within `seconds`, whatever its own limits allow. It holds for this thread, and for what it has
    done `side_by_side`.

    A bound inside another one cannot loosen it.
    """
    outer = _bound.get()
    token = _bound.set(Deadline(seconds if outer is None else min(seconds, outer.left)))
    try:
        yield
    finally:
        _bound.reset(token)


def deadline_of(limits: Limits) -> Deadline:
    """The deadline of a call about to begin. Raises Unavailable where the time for all calls is over."""
    return Deadline(at_most(limits.whole))


def at_most(seconds: float) -> float:
    """`seconds`, or what the bound leaves where that is less: for anything else that is waited for.

    Raises Unavailable where the time for all calls is over.
    """
    bound = _bound.get()
    if bound is None:
        return seconds
    left = bound.left
    if left <= 0:
        raise Unavailable("there was no time left for the call")
    return min(seconds, left)


logger = logging.getLogger("apps.suppliers.calls")

Pairs = Mapping[str, Any] | Sequence[tuple[str, Any]]
Headers = Mapping[str, str]

HEADERS = {"User-Agent": "TravelPartnerAPI/1.0", "Accept": "application/json", "Accept-Encoding": "gzip"}
"""Of every request; without cookies, credentials from files, or proxies from the environment."""
NO_WHOLE_ANSWER = (BadAnswer, OSError)

CALLS = Counter(
    "travel_partner_supplier_calls",
    "HTTP calls to suppliers, by their status or the cause of its absence.",
    ["supplier", "outcome"],
)
CALL_SECONDS = Histogram(
    "travel_partner_supplier_call_seconds",
    "How long suppliers took to answer.",
    ["supplier"],
    buckets=SECONDS,
)
NO_ANSWER, CERTIFICATE_REFUSED = "no answer", "certificate refused"
BREAKER_OPEN, TOO_MANY = "not sent: breaker open", "not sent: too many calls"


class Parts(TypedDict, total=False):
    query: Pairs | None
    json: Any
    form: Pairs | None
    headers: Headers | None


class SupplierHTTP:
    """One host of one supplier. Cheap to build: connections, breaker and bulkhead belong to the process (`isolation.py`).

    `concurrency` is how many calls may be under way at once; by default the supplier's share of the threads. `lane` separates
    calls that are made `side_by_side` from the others.
    `headers` are sent with every request; a function is called for each (signatures, tokens). `request_id_header` names
    the answer's header with the supplier's own id of the request, which is logged.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        headers: Callable[[], Headers] | Headers | None = None,
        concurrency: int | None = None,
        lane: str = "",
        request_id_header: str = "x-request-id",
    ) -> None:
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._prefix = urlsplit(self.base_url).path
        self._headers = headers if callable(headers) else lambda: headers or {}
        self._concurrency = concurrency
        self._lane = lane
        self._request_id_header = request_id_header

    def read(self, method: str, path: str, *, limits: Limits = Limits(), **parts: Unpack[Parts]) -> Reply:
        """Make a call that changes nothing: GET, token, search. Raises Unavailable.

        It is sent again at most twice, after 429, 502, 503, 504 and lost connections, within the deadline.
        """
        prepare = partial(self._prepare, method, path, parts)
        deadline = deadline_of(limits)
        for retry in count(1):
            exchange = Exchange(deadline, connect_seconds=limits.connect, silence_seconds=limits.read)
            try:
                reply = self._call(exchange, prepare, limits.max_bytes, write=False)
            except _Lost as lost:
                pause = None if lost.timed_out else pause_before(retry, {})
                if pause is None or pause >= deadline.left:
                    raise Unavailable(str(lost)) from lost
            else:
                if reply.status not in RETRIED_STATUSES:
                    return reply
                pause = pause_before(retry, about_waiting(reply.status, reply.headers))
                if pause is None or pause >= deadline.left:
                    return reply
            time.sleep(pause)
        raise AssertionError("counting never ends")

    def write(self, method: str, path: str, *, limits: Limits = Limits(), **parts: Unpack[Parts]) -> Reply:
        """Make a call that books, changes or cancels. It is sent once, over a new connection.

        Raises Unavailable where it was certainly not sent, and OutcomeUnknown where it was and no whole answer came.
        """
        prepare = partial(self._prepare, method, path, parts)
        exchange = Exchange(deadline_of(limits), connect_seconds=limits.connect, silence_seconds=limits.read)
        try:
            return self._call(exchange, prepare, limits.max_bytes, write=True)
        except _Lost as lost:
            ended: type[SupplierError] = OutcomeUnknown if exchange.began else Unavailable
            raise ended(str(lost)) from lost

    def _prepare(self, method: str, path: str, parts: Parts) -> Request:
        """Prepared for each attempt: a signature may contain the time. `requests` encodes the query and the form."""
        body, body_type = parts.get("json"), {}
        if body is not None:
            body_type = {"Content-Type": "application/json"}
        prepared = requests.Request(
            method,
            self.base_url + path,
            params=parts.get("query"),
            data=parts.get("form") if body is None else json_text.dumps(body, allow_nan=False),
            headers={**HEADERS, **body_type, **self._headers(), **(parts.get("headers") or {})},
        ).prepare()
        sent = prepared.body or b""
        return Request(
            method=method,
            target=prepared.path_url,
            headers=prepared.headers.items(),
            body=sent.encode() if isinstance(sent, str) else sent,
        )

    def _call(
        self, exchange: Exchange, prepare: Callable[[], Request], max_bytes: int, *, write: bool
    ) -> Reply:
        """One attempt. Raises Unavailable where breaker or bulkhead let nothing be sent, _Lost where no whole answer came."""
        state = state_of(self.name, self.base_url, self._concurrency, self._lane)
        request = prepare()
        try:
            with state.bulkhead.place(write=write), state.common_bulkhead.place(write=write):
                if not state.breaker.admits():
                    CALLS.labels(self.name, BREAKER_OPEN).inc()
                    raise Unavailable(f"{self.name} has failed again and again: left alone for a while")
                return self._exchange(state, exchange, request, max_bytes, write=write)
        except BulkheadFull:
            CALLS.labels(self.name, TOO_MANY).inc()
            logger.warning("%s %s %s not sent: too many calls", self.name, request.method, _path(request))
            raise Unavailable(f"too many calls to {self.name} are in progress") from None

    def _exchange(
        self, state: State, exchange: Exchange, request: Request, max_bytes: int, *, write: bool
    ) -> Reply:
        """Send, read and log one request; the breaker counts how it ended. Raises _Lost."""
        path = _path(request)
        started = time.monotonic()
        try:
            with tracing.within(f"{self.name} {request.method}", client=True):
                reply = _reply(state, exchange, request, max_bytes, fresh=write)
                tracing.note(status=reply.status)
        except NO_WHOLE_ANSWER as failure:
            lost = _Lost(failure, began=exchange.began)
            took = round((time.monotonic() - started) * 1000)
            logger.warning("%s %s %s %s %d ms", self.name, request.method, path, lost, took)
            CALLS.labels(self.name, _outcome_of(failure)).inc()
            CALL_SECONDS.labels(self.name).observe(time.monotonic() - started)
            if not (write and exchange.began):
                state.breaker.failed()
            raise lost from failure
        took, number = round(reply.seconds * 1000), reply.headers.get(self._request_id_header, "-")
        logger.info(
            "%s %s %s %d %d ms, their id %s", self.name, request.method, path, reply.status, took, number
        )
        CALLS.labels(self.name, str(reply.status)).inc()
        CALL_SECONDS.labels(self.name).observe(reply.seconds)
        target = request.target.removeprefix(self._prefix)
        recording.take_down(request.method, target, request.body, reply.status, reply.headers, reply.body)
        drift.heard(self.name, request.method, path.removeprefix(self._prefix), reply.status, reply.body)
        if reply.status < 500:
            state.breaker.succeeded()
        elif not write:
            state.breaker.failed()
        return reply


def _outcome_of(failure: Exception) -> str:
    """For the figures. A certificate that has expired, or is not theirs, ends only when it is fixed."""
    refused = isinstance(failure, ssl.SSLCertVerificationError)
    return CERTIFICATE_REFUSED if refused else NO_ANSWER


def _reply(state: State, exchange: Exchange, request: Request, max_bytes: int, *, fresh: bool) -> Reply:
    """`fresh`: over a new connection, because an idle one may be closed in the same moment, which looks like a lost answer."""
    started = time.monotonic()
    kept = None if fresh else state.pool.take(state.origin)
    connection = kept or state.pool.open(state.origin, exchange)
    with state.pool.ask(connection, request, exchange) as answer:
        body = read_body(answer, max_bytes=max_bytes)
        return Reply(answer.status, HTTPHeaderDict(answer.headers), body, time.monotonic() - started)


def _path(request: Request) -> str:
    """The part of the address that may be logged: ids, but no query, which may contain travellers."""
    return request.target.partition("?")[0]


class _Lost(Exception):
    """No whole answer. The text names the kind of failure and nothing of what was sent: an address may contain travellers."""

    def __init__(self, failure: Exception, *, began: bool) -> None:
        super().__init__(f"{type(failure).__name__} {'after' if began else 'before'} sending")
        self.timed_out = isinstance(failure, TimeoutError)
