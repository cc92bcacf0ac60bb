"""Why an attempt failed: a code, plain words for the partner, and what the receiver's owner can do about it."""

import errno
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from apps.common.outbound.addresses import NameNotResolved, NoThreadLeft
from apps.common.outbound.answer import BadAnswer
from apps.common.outbound.connection import AddressRefused
from apps.webhooks.target import UrlRefused

# OpenSSL's X509_V_ERR_… numbers.
CERTIFICATE_WORDS = {
    9: "TLS certificate is not valid yet",
    10: "TLS certificate expired",
    18: "TLS certificate is self-signed",
    19: "TLS certificate comes from an unknown authority",
    20: "TLS certificate comes from an unknown authority; the chain may be incomplete",
    21: "TLS certificate comes without its intermediate certificates",
    62: "TLS certificate is for another host name",
    64: "TLS certificate is for another address",
}

UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL}
MAX_WORDS = 255


class CertificateExpired(Exception):
    """`on` is the day, if it could be read."""

    def __init__(self, on: date | None) -> None:
        super().__init__(on)
        self.on = on


@dataclass(frozen=True, slots=True)
class Cause:
    """`code` for programs, `words` for people."""

    code: str
    words: str


LOST = Cause("lost", "the sending process stopped before it recorded a response")
INTERNAL = Cause("internal", "something failed on our side")


def cause_of_status(status_code: int) -> Cause | None:
    """Why a complete answer with this status was not accepted; None for any 2xx."""
    if 200 <= status_code <= 299:
        return None
    if status_code // 100 == 3:
        return Cause("redirect", f"returned {status_code}; redirects are not followed")
    if status_code == 410:
        return Cause("gone", "returned 410; the delivery is not retried")
    return Cause("status", f"answered {status_code}")


def no_answer_within(seconds: float) -> Cause:
    return Cause("timeout", f"no response within {seconds:g} s")


def cause_of_failure(failure: Exception, *, seconds: float) -> Cause:
    """Why there was no answer; `seconds` is the time that was allowed."""
    if isinstance(failure, TimeoutError):
        return no_answer_within(seconds)
    for kind, explained in EXPLANATIONS:
        if isinstance(failure, kind):
            cause = explained if isinstance(explained, Cause) else explained(failure)
            return Cause(cause.code, cause.words[:MAX_WORDS])
    return INTERNAL


def _expired(failure: CertificateExpired) -> Cause:
    on = f" on {failure.on.day} {failure.on:%b %Y}" if failure.on else ""
    return Cause("tls_certificate", f"TLS certificate expired{on}")


def _certificate(failure: ssl.SSLCertVerificationError) -> Cause:
    unknown = f"TLS certificate is not trusted: {failure.verify_message}"
    return Cause("tls_certificate", CERTIFICATE_WORDS.get(failure.verify_code, unknown))


def _tls(failure: ssl.SSLError) -> Cause:
    reason = str(getattr(failure, "reason", None) or "connection closed").replace("_", " ").lower()
    return Cause("tls", f"TLS failed: {reason}")


def _connection(failure: OSError) -> Cause:
    if failure.errno in UNREACHABLE:
        return Cause("unreachable", "the host cannot be reached")
    return Cause("connection", f"the connection failed: {failure.strerror or failure}")


# The first that fits: subclasses stand before their bases.
EXPLANATIONS: tuple[tuple[type[Exception], Cause | Callable[[Any], Cause]], ...] = (
    (UrlRefused, lambda failure: Cause("url_refused", f"the endpoint's URL {failure}")),
    (AddressRefused, Cause("address_not_public", "the address is not public")),
    (NameNotResolved, Cause("name_not_resolved", "the name does not resolve")),
    (NoThreadLeft, INTERNAL),
    (CertificateExpired, _expired),
    (ssl.SSLCertVerificationError, _certificate),
    (ssl.SSLError, _tls),
    (ConnectionRefusedError, Cause("connection_refused", "connection refused")),
    (ConnectionError, Cause("connection_closed", "the connection was closed without a response")),
    (BadAnswer, Cause("not_http", "what came back is not HTTP")),
    (OSError, _connection),
)


ADVICE = {
    "timeout": "Respond with 2xx as soon as the signature is verified and the event is stored; process it afterwards.",
    "redirect": "Register the final URL. Redirects are not followed, so that your events are not sent elsewhere.",
    "gone": "410 ends a delivery for good. Return another status if you want retries.",
    "url_refused": "Edit the endpoint and enter an HTTPS URL that can be reached from the internet.",
    "address_not_public": "The name resolves to a private address. Let it resolve to public addresses only.",
    "name_not_resolved": "Check the DNS record of the host. A new record may take some time to propagate.",
    "tls_certificate": "Renew the certificate, or let the server send the whole chain with its intermediate certificates.",
    "tls": "Offer TLS 1.2 or 1.3 on this port, with a certificate for this host name.",
    "connection_refused": "Nothing listens on this port: start the receiver, or open the port in the firewall.",
    "connection_closed": "The receiver or a proxy in front of it closed the connection. Check the log at that time.",
    "not_http": "This port is not served by a web server. Check the port of the URL.",
    "unreachable": "The host cannot be reached. Check its network and its firewall.",
    "connection": "Check the receiver and its network. The delivery is retried automatically.",
    "lost": "A problem on our side. The attempt did not count, and the delivery was sent again.",
    "internal": "A problem on our side. The delivery is retried; contact us if it continues.",
}

OF_STATUS = {
    400: "Your receiver could not read the body. Log what arrives and compare it with the payload on this page.",
    401: "The receiver rejected the signature. Check that it has the current secret and verifies the raw bytes of the body.",
    403: "Rejected by the receiver or a firewall in front of it. Allow POST requests to this path.",
    404: "Nothing is served at this path: check the endpoint's URL.",
    405: "This path does not accept POST requests.",
    413: "The body exceeds the receiver's limit: raise it.",
    429: "The receiver is overloaded. Queue events and respond before you process them.",
}

OF_SERVER_ERRORS = "The receiver failed. Check its log at the time of the attempt."

OF_OTHERS = "Respond with any 2xx once the event is stored."


def advice_for(code: str, status_code: int | None) -> str:
    """What to do about an attempt that was not accepted; nothing for one that was."""
    if code in ADVICE:
        return ADVICE[code]
    if status_code is None or 200 <= status_code <= 299:
        return ""
    return OF_STATUS.get(status_code, OF_SERVER_ERRORS if status_code >= 500 else OF_OTHERS)
