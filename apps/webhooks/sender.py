"""Sends to addresses that partners chose, within one limit of time (contract §3, Webhooks).

How a connection is opened, bounded and kept is `apps.common.outbound`.
"""

import logging
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial

from cryptography import x509
from django.conf import settings

from apps.common.outbound import Deadline
from apps.common.outbound.addresses import Lookup, Resolver, may_connect, system_lookup
from apps.common.outbound.answer import Answer, BadAnswer
from apps.common.outbound.connection import (
    ClosedBeforeAnswer,
    Connection,
    ConnectionPool,
    Connector,
    Exchange,
    Origin,
    Request,
    Stopwatch,
    Timings,
    connect_to,
)
from apps.webhooks.causes import (
    Cause,
    CertificateExpired,
    cause_of_failure,
    cause_of_status,
    no_answer_within,
)
from apps.webhooks.retry_schedule import Outcome, outcome_of
from apps.webhooks.target import Target, parse_url

KEPT_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class ReceiverAnswer:
    """The result of one attempt. `cause` is None exactly when the attempt was accepted."""

    status_code: int | None
    body: str
    cause: Cause | None
    duration_ms: int
    timings: Timings = field(default_factory=Timings)

    @property
    def outcome(self) -> Outcome:
        """A 2xx status alone is no success: the answer must have been complete in time as well."""
        outcome = outcome_of(self.status_code)
        return Outcome.FAILED if outcome is Outcome.ACCEPTED and self.cause else outcome


def readable(body: bytes) -> str:
    """The stored part of an answer as text that PostgreSQL can hold: invalid UTF-8 and NUL are replaced."""
    return body[:KEPT_BYTES].decode(errors="replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")


CERTIFICATE_EXPIRED = 10  # X509_V_ERR_CERT_HAS_EXPIRED


def explained(
    refused: ssl.SSLCertVerificationError, origin: Origin, exchange: Exchange
) -> ssl.SSLCertVerificationError | CertificateExpired:
    """CertificateExpired with its day where that is why the certificate was refused; otherwise `refused` itself."""
    if refused.verify_code != CERTIFICATE_EXPIRED:
        return refused
    return CertificateExpired(_expired_on(origin, exchange))


def _expired_on(origin: Origin, exchange: Exchange) -> date | None:
    """Read from a second handshake, because a refused one does not show the certificate. No request is sent."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if exchange.peer is None:
        return None
    try:
        with connect_to(exchange.peer, origin.port, exchange.seconds_to_connect()) as sock:
            sock.settimeout(exchange.seconds_to_connect())
            with context.wrap_socket(sock, server_hostname=origin.host) as wrapped:
                certificate = wrapped.getpeercert(binary_form=True) or b""
        return x509.load_der_x509_certificate(certificate).not_valid_after_utc.date()
    except (OSError, ValueError):
        return None


logger = logging.getLogger(__name__)
USER_AGENT = "TravelPartnerAPI-Webhooks/1.0"

MAX_BYTES = 256 * 1024
"""Read of one answer in all: interim answers, the extensions of chunks and the trailers included."""

LOOKUP_THREADS = 128
KEPT_CONNECTIONS = 4  # of one scheme, host and port
IDLE_SECONDS = 4.0  # less than the five seconds after which common servers close
LIFE_SECONDS = 60.0  # then the name is looked up again, and its addresses are checked again


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """`complete`: the body was read to its end, or as far as it is kept. False: the time was over before."""

    status_code: int
    body: bytes
    complete: bool


class Sender:
    """POSTs within one limit of time, to public addresses, without redirects or proxies.

    Safe for threads.
    """

    def __init__(
        self,
        *,
        lookup: Lookup = system_lookup,
        context: ssl.SSLContext | None = None,
        allow_local: bool = False,
    ) -> None:
        self._allow_local = allow_local
        connector = Connector(
            resolver=Resolver(threads=LOOKUP_THREADS, lookup=lookup),
            context=context or _default_context(),
            may_connect=partial(may_connect, allow_local=allow_local),
        )
        self._pool = ConnectionPool(
            connector, kept=KEPT_CONNECTIONS, idle_seconds=IDLE_SECONDS, life_seconds=LIFE_SECONDS
        )

    def post(self, url: str, *, headers: Mapping[str, str], body: bytes, seconds: float) -> ReceiverAnswer:
        """Send one delivery. Never raises, and returns within `seconds`: a failure is an ReceiverAnswer with its cause."""
        watch = Stopwatch()
        exchange = Exchange(Deadline(seconds), max_bytes=MAX_BYTES)
        try:
            target = parse_url(url, allow_local=self._allow_local)
            request = Request("POST", target.path, headers.items(), body)
            raw = self._post(target, request, exchange)
        except Exception as failure:
            cause = cause_of_failure(failure, seconds=seconds)
            if cause.code == "internal":
                logger.exception("Sending a webhook failed on our side")
            exchange.timings.first_byte_ms = None
            return ReceiverAnswer(None, "", cause, watch.lap(), exchange.timings)
        cause_of_refusal = cause_of_status(raw.status_code) if raw.complete else no_answer_within(seconds)
        return ReceiverAnswer(
            raw.status_code, readable(raw.body), cause_of_refusal, watch.lap(), exchange.timings
        )

    def close_idle(self, *, everything: bool = False) -> None:
        """Close the kept connections whose time is over."""
        self._pool.close_old(everything=everything)

    def _post(self, target: Target, request: Request, exchange: Exchange) -> RawAnswer:
        kept = self._pool.take(target.origin)
        if kept is not None:
            try:
                return self._post_over(kept, request, exchange)
            except ClosedBeforeAnswer:
                pass  # the receiver closed it in the same moment: once more, over a new one
        try:
            opened = self._pool.open(target.origin, exchange)
        except ssl.SSLCertVerificationError as refused:
            raise explained(refused, target.origin, exchange) from refused
        return self._post_over(opened, request, exchange)

    def _post_over(self, connection: Connection, request: Request, exchange: Exchange) -> RawAnswer:
        with self._pool.ask(connection, request, exchange) as answer:
            body, complete = _read_body(answer)
            return RawAnswer(answer.status, body, complete)


@cache
def _default_context() -> ssl.SSLContext:
    """One for all senders: to read the authorities of the machine takes some 30 ms."""
    return ssl.create_default_context()


def complete_headers(headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    """The headers of a delivery, Host aside: these are sent, and these are recorded."""
    return {
        "User-Agent": USER_AGENT,
        "Accept": "*/*",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **headers,
    }


def _read_body(answer: Answer) -> tuple[bytes, bool]:
    """The first 8 KiB, and whether that is all that will be kept. Nothing is decompressed: no coding was asked for.

    An answer that was cut short, or whose length is ambiguous, counts by its status.
    """
    body = b""
    try:
        for piece in answer.pieces():
            body += piece
            if len(body) >= KEPT_BYTES:
                break
    except TimeoutError:
        return body[:KEPT_BYTES], False
    except (BadAnswer, OSError):
        pass
    return body[:KEPT_BYTES], True


@cache
def _sender(allow_local: bool) -> Sender:
    return Sender(allow_local=allow_local)


def sender() -> Sender:
    """The sender of this process, as configured, with the connections it keeps."""
    return _sender(settings.WEBHOOK_ALLOW_LOCAL_TARGETS)
