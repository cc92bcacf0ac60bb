"""The one client that may talk to addresses a partner chose (contract §3, Webhooks)."""

import logging
import ssl
from collections.abc import Mapping
from functools import cache

from django.conf import settings

from apps.webhooks.causes import cause_of_failure, cause_of_status, no_answer_within
from apps.webhooks.sender.answer import Answer, Timings, readable
from apps.webhooks.sender.connecting import Stopwatch, checked_addresses, connect, start_tls
from apps.webhooks.sender.deadline import Deadline
from apps.webhooks.sender.exchange import ClosedBeforeAnswer, Connection, RawAnswer
from apps.webhooks.sender.pool import IdleConnections
from apps.webhooks.sender.resolver import Lookup, system_lookup
from apps.webhooks.sender.target import Target, parse_url

logger = logging.getLogger(__name__)

USER_AGENT = "TravelPartnerAPI-Webhooks/1.0"


class Sender:
    """POSTs within one total limit of time, to public addresses, without redirects or proxies.

    Safe for threads.
    """

    def __init__(
        self,
        *,
        lookup: Lookup = system_lookup,
        context: ssl.SSLContext | None = None,
        allow_local: bool = False,
    ) -> None:
        self._lookup = lookup
        self._context = context or ssl.create_default_context()
        self._allow_local = allow_local
        self._idle = IdleConnections()

    def post(self, url: str, *, headers: Mapping[str, str], body: bytes, seconds: float) -> Answer:
        """Whatever happens, as an Answer; it never raises, and returns within `seconds`."""
        whole, timings = Stopwatch(), Timings()
        try:
            target = parse_url(url, allow_local=self._allow_local)
            request = _request(target, headers, body)
            raw = self._exchange(target, request, Deadline(seconds), timings)
        except Exception as failure:
            cause = cause_of_failure(failure, seconds=seconds)
            if cause.code == "internal":
                logger.exception("Sending a webhook failed on our side")
            return Answer(None, "", cause, whole.lap(), timings)
        timings.first_byte_ms = raw.first_byte_ms
        cause_of_refusal = cause_of_status(raw.status_code) if raw.complete else no_answer_within(seconds)
        return Answer(raw.status_code, readable(raw.body), cause_of_refusal, whole.lap(), timings)

    def close_idle(self, *, everything: bool = False) -> None:
        """Close kept connections that are past their time."""
        self._idle.close_old(everything=everything)

    def _exchange(self, target: Target, request: bytes, deadline: Deadline, timings: Timings) -> RawAnswer:
        kept = self._idle.take(target)
        if kept is not None:
            try:
                return self._exchange_over(kept, target, request, deadline)
            except ClosedBeforeAnswer:
                pass  # the receiver closed it in the same moment: once more, over a new one
        return self._exchange_over(self._open(target, deadline, timings), target, request, deadline)

    def _exchange_over(
        self, connection: Connection, target: Target, request: bytes, deadline: Deadline
    ) -> RawAnswer:
        try:
            answer = connection.exchange(request, deadline)
        except BaseException:
            connection.close()
            raise
        if answer.reusable:
            self._idle.give(target, connection)
        else:
            connection.close()
        return answer

    def _open(self, target: Target, deadline: Deadline, timings: Timings) -> Connection:
        watch = Stopwatch()
        addresses = checked_addresses(
            target, allow_local=self._allow_local, lookup=self._lookup, deadline=deadline
        )
        timings.lookup_ms = watch.lap() if target.address is None else None
        sock, address = connect(addresses, target.port, deadline)
        timings.connect_ms = watch.lap()
        if target.scheme == "https":
            sock = start_tls(sock, target.host, address, target.port, self._context, deadline)
            timings.tls_ms = watch.lap()
        return Connection(sock)


def complete_headers(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """The headers of a delivery beside its Host: these are sent, and these are recorded."""
    return {
        "User-Agent": USER_AGENT,
        "Accept": "*/*",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers,
    }


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.host_header}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


@cache
def _sender(allow_local: bool) -> Sender:
    return Sender(allow_local=allow_local)


def sender() -> Sender:
    """The sender of this process, as configured, with the connections it keeps."""
    return _sender(settings.WEBHOOK_ALLOW_LOCAL_TARGETS)
