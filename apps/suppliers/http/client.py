"""The HTTP client of all connectors: bounded in time, size and number, and exact about whether a request was sent.

It does not interpret statuses: any complete HTTP answer is a `Reply`, and the connector decides what it means. Without a
complete answer a call ends in one of two ways. `Unavailable`: certainly nothing happened. `OutcomeUnknown`, of writes only:
the request may have arrived.
"""

import json as json_text
import logging
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import requests
from urllib3 import HTTPHeaderDict

from apps.common import tracing
from apps.common.outbound.answer import BadAnswer, read_body
from apps.common.outbound.connection import Exchange, Request
from apps.suppliers import metrics
from apps.suppliers.drift import watching
from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from apps.suppliers.http.bulkhead import BulkheadFull
from apps.suppliers.http.limits import Limits
from apps.suppliers.http.reply import Reply
from apps.suppliers.http.retrying import RETRIED_STATUSES, about_waiting, pause_before
from apps.suppliers.http.state import State, state_of
from apps.suppliers.http.together import deadline_of
from apps.suppliers.recording import tape

logger = logging.getLogger("apps.suppliers.calls")

Pairs = Mapping[str, Any] | Sequence[tuple[str, Any]]
Headers = Mapping[str, str]

HEADERS = {"User-Agent": "TravelPartnerAPI/1.0", "Accept": "application/json", "Accept-Encoding": "gzip"}
"""Of every request; without cookies, credentials from files, or proxies from the environment."""
NO_ANSWER = (BadAnswer, OSError)


class SupplierHTTP:
    """One host of one supplier. Cheap to build: connections, breaker and bulkhead belong to the process (`state.py`).

    `concurrency` is how many calls may be under way at once; by default the supplier's share of the threads (`state.py`).
    `headers` are sent with every request; a function is called anew for each (signatures, tokens). `request_id_header` names
    the answer's header with the supplier's own id of the request, which is logged.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        headers: Callable[[], Headers] | Headers | None = None,
        concurrency: int | None = None,
        request_id_header: str = "x-request-id",
    ) -> None:
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._prefix = urlsplit(self.base_url).path
        self._headers = headers if callable(headers) else lambda: headers or {}
        self._concurrency = concurrency
        self._request_id_header = request_id_header

    def read(
        self,
        method: str,
        path: str,
        *,
        query: Pairs | None = None,
        json: Any = None,
        form: Pairs | None = None,
        headers: Headers | None = None,
        limits: Limits = Limits(),  # noqa: B008  (frozen)
    ) -> Reply:
        """Make a call that changes nothing: GET, token, search. Raises Unavailable.

        It is sent again at most twice, after 429, 502, 503, 504 and lost connections, within the deadline.
        """
        prepare = partial(self._prepare, method, path, query, json, form, headers)
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

    def write(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        form: Pairs | None = None,
        query: Pairs | None = None,
        headers: Headers | None = None,
        limits: Limits = Limits(),  # noqa: B008  (frozen)
    ) -> Reply:
        """Make a call that books, changes or cancels. It is sent once, over a new connection.

        Raises Unavailable where it was certainly not sent, and OutcomeUnknown where it was and no whole answer came.
        """
        prepare = partial(self._prepare, method, path, query, json, form, headers)
        exchange = Exchange(deadline_of(limits), connect_seconds=limits.connect, silence_seconds=limits.read)
        try:
            return self._call(exchange, prepare, limits.max_bytes, write=True)
        except _Lost as lost:
            ended: type[SupplierError] = OutcomeUnknown if exchange.began else Unavailable
            raise ended(str(lost)) from lost

    def _prepare(
        self,
        method: str,
        path: str,
        query: Pairs | None,
        json: Any,
        form: Pairs | None,
        headers: Headers | None,
    ) -> Request:
        """Made anew for each attempt: a signature may contain the time. `requests` encodes the query and the form."""
        body_type = {} if json is None else {"Content-Type": "application/json"}
        prepared = requests.Request(
            method,
            self.base_url + path,
            params=query,
            data=form if json is None else json_text.dumps(json, allow_nan=False),
            headers={**body_type, **self._headers(), **(headers or {})},
        ).prepare()
        for name, value in HEADERS.items():
            prepared.headers.setdefault(name, value)
        body = prepared.body or b""
        return Request(
            method=method,
            target=prepared.path_url,
            headers=prepared.headers.items(),
            body=body.encode() if isinstance(body, str) else body,
        )

    def _call(
        self, exchange: Exchange, prepare: Callable[[], Request], max_bytes: int, *, write: bool
    ) -> Reply:
        """One attempt. Raises Unavailable where breaker or bulkhead let nothing be sent, _Lost where no whole answer came."""
        state = state_of(self.name, self.base_url, self._concurrency)
        request = prepare()
        try:
            with state.bulkhead.place(write=write), state.common_bulkhead.place(write=write):
                if not state.breaker.admits():
                    metrics.CALLS.labels(self.name, metrics.BREAKER_OPEN).inc()
                    raise Unavailable(f"{self.name} has failed again and again: left alone for a while")
                return self._exchange(state, exchange, request, max_bytes, write=write)
        except BulkheadFull:
            metrics.CALLS.labels(self.name, metrics.TOO_MANY).inc()
            logger.warning("%s %s %s not sent: too many calls", self.name, request.method, _path(request))
            raise Unavailable(f"too many calls to {self.name} are under way") from None

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
        except NO_ANSWER as failure:
            lost = _Lost(failure, began=exchange.began)
            took = round((time.monotonic() - started) * 1000)
            logger.warning("%s %s %s %s %d ms", self.name, request.method, path, lost, took)
            metrics.CALLS.labels(self.name, _outcome_of(failure)).inc()
            metrics.CALL_SECONDS.labels(self.name).observe(time.monotonic() - started)
            if not (write and exchange.began):
                state.breaker.failed()
            raise lost from failure
        took, number = round(reply.seconds * 1000), reply.headers.get(self._request_id_header, "-")
        logger.info(
            "%s %s %s %d %d ms, their id %s", self.name, request.method, path, reply.status, took, number
        )
        metrics.CALLS.labels(self.name, str(reply.status)).inc()
        metrics.CALL_SECONDS.labels(self.name).observe(reply.seconds)
        target = request.target.removeprefix(self._prefix)
        tape.take_down(request.method, target, request.body, reply.status, reply.headers, reply.body)
        watching.heard(self.name, request.method, path.removeprefix(self._prefix), reply.status, reply.body)
        if reply.status < 500:
            state.breaker.succeeded()
        elif not write:
            state.breaker.failed()
        return reply


def _outcome_of(failure: Exception) -> str:
    """For the figures. A certificate that has expired, or is not theirs, ends no sooner than somebody sees to it."""
    refused = isinstance(failure, ssl.SSLCertVerificationError)
    return metrics.CERTIFICATE_REFUSED if refused else metrics.NO_ANSWER


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
