"""The one HTTP client of all connectors: bounded in time, size and number, and exact about what may have been heard.

It does not read statuses: any complete HTTP answer is a `Reply`, which the connector's own table turns into an outcome. What
is no answer ends in one of two ways. `Unavailable`: certainly nothing happened. `OutcomeUnknown`, of writes only: the request
may have left us.
"""

import json as json_text
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http.client import HTTPException
from itertools import count
from typing import Any

import requests
import urllib3

from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from apps.suppliers.http.body import BadBody, read_body
from apps.suppliers.http.cap import CapFull
from apps.suppliers.http.exchange import Exchange, under_way
from apps.suppliers.http.limits import Limits
from apps.suppliers.http.reply import Reply
from apps.suppliers.http.retrying import RETRIED_STATUSES, pause_before
from apps.suppliers.http.state import State, state_of
from apps.suppliers.http.together import deadline_of

logger = logging.getLogger("apps.suppliers.calls")

Pairs = Mapping[str, Any] | Sequence[tuple[str, Any]]
Headers = Mapping[str, str]

TIMED_OUT = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
NO_ANSWER = (requests.RequestException, urllib3.exceptions.HTTPError, HTTPException, OSError, BadBody)


class SupplierHTTP:
    """One host of one supplier. Cheap to build: session, breaker and places are the process's, found by name and host.

    `headers` go out with every request; a function is asked anew for each (signatures, tokens). `request_id_header` is where
    the supplier tells its own number of the request, which the log then shows.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        headers: Callable[[], Headers] | Headers | None = None,
        concurrency: int = 6,
        request_id_header: str = "x-request-id",
    ) -> None:
        self.name = name
        self.base_url = base_url.rstrip("/")
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
        """A call that changes nothing: GET, token, search. Sent again at most twice, after 429, 502, 503, 504 and lost
        connections, within the deadline. Raises Unavailable.
        """
        prepare = partial(self._prepare, method, path, query, json, form, headers)
        deadline = deadline_of(limits)
        for retry in count(1):
            try:
                reply = self._call(Exchange(limits, deadline, fresh=False), prepare)
            except _Lost as lost:
                pause = None if lost.timed_out else pause_before(retry, {})
                if pause is None or pause >= deadline.left:
                    raise Unavailable(str(lost)) from lost
            else:
                pause = pause_before(retry, reply.headers) if reply.status in RETRIED_STATUSES else None
                if pause is None or pause >= deadline.left:
                    return reply
            time.sleep(pause)
        raise AssertionError("counting ends never")

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
        """A call that books, changes or cancels: sent once, over a connection of its own.

        Raises Unavailable where it was certainly not sent, OutcomeUnknown where the answer did not come back whole.
        """
        prepare = partial(self._prepare, method, path, query, json, form, headers)
        exchange = Exchange(limits, deadline_of(limits), fresh=True)
        try:
            return self._call(exchange, prepare)
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
    ) -> requests.Request:
        """Made anew for each attempt: a signature may hold the time."""
        body_type = {} if json is None else {"Content-Type": "application/json"}
        return requests.Request(
            method,
            self.base_url + path,
            params=query,
            data=form if json is None else json_text.dumps(json, allow_nan=False),
            headers={**body_type, **self._headers(), **(headers or {})},
        )

    def _call(self, exchange: Exchange, prepare: Callable[[], requests.Request]) -> Reply:
        """One attempt. Raises Unavailable where the supplier is left alone, _Lost where no whole answer came."""
        state = state_of(self.name, self.base_url, self._concurrency)
        request = state.session.prepare_request(prepare())
        try:
            with state.cap.place(write=exchange.fresh):
                if not state.breaker.admits():
                    raise Unavailable(f"{self.name} has failed again and again: left alone for a while")
                return self._exchange(state, exchange, request)
        except CapFull:
            logger.warning("%s %s %s not sent: too many calls", self.name, request.method, _path(request))
            raise Unavailable(f"too many calls to {self.name} are under way") from None

    def _exchange(self, state: State, exchange: Exchange, request: requests.PreparedRequest) -> Reply:
        """Send, read, log, and tell the breaker."""
        path = _path(request)
        started = time.monotonic()
        try:
            with under_way(exchange):
                reply = _answer(state, exchange, request, started)
        except NO_ANSWER as failure:
            lost = _Lost(failure, began=exchange.began)
            took = round((time.monotonic() - started) * 1000)
            logger.warning("%s %s %s %s %d ms", self.name, request.method, path, lost, took)
            if not (exchange.fresh and exchange.began):
                state.breaker.failed()
            raise lost from failure
        took, number = round(reply.seconds * 1000), reply.headers.get(self._request_id_header, "-")
        logger.info(
            "%s %s %s %d %d ms, their id %s", self.name, request.method, path, reply.status, took, number
        )
        if reply.status < 500:
            state.breaker.succeeded()
        elif not exchange.fresh:
            state.breaker.failed()
        return reply


def _answer(state: State, exchange: Exchange, request: requests.PreparedRequest, started: float) -> Reply:
    timeout = (exchange.seconds_to_connect(), exchange.seconds_to_wait())
    with state.session.send(request, stream=True, timeout=timeout, allow_redirects=False) as response:
        body = read_body(
            response.raw,
            encoding=response.headers.get("Content-Encoding", ""),
            max_bytes=exchange.limits.max_bytes,
        )
        return Reply(response.status_code, response.headers, body, time.monotonic() - started)


def _path(request: requests.PreparedRequest) -> str:
    """What may be logged of the address: ids, but no query, which may hold travellers."""
    return request.path_url.partition("?")[0]


class _Lost(Exception):
    """No whole answer. The text names the kind of failure and nothing of what was sent: an address may hold travellers."""

    def __init__(self, failure: Exception, *, began: bool) -> None:
        super().__init__(f"{_kind(failure)} {'after' if began else 'before'} sending")
        self.timed_out = isinstance(failure, TIMED_OUT)


def _kind(failure: BaseException) -> str:
    """`requests` wraps what urllib3 wrapped: the name of what it was."""
    wrapped = [*failure.args, getattr(failure, "reason", None)]
    inner = next((one for one in wrapped if isinstance(one, Exception)), None)
    return type(failure).__name__ if inner is None else _kind(inner)
