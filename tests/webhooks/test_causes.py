"""Why an attempt failed, in plain words, and what to do."""

import errno
import inspect
import re
import socket
import ssl
from datetime import date

import pytest

from apps.common.outbound import DeadlinePassed
from apps.common.outbound.addresses import NameNotResolved, NoThreadLeft
from apps.common.outbound.answer import BadAnswer
from apps.common.outbound.connection import AddressRefused, ClosedBeforeAnswer
from apps.webhooks import causes
from apps.webhooks.causes import (
    ADVICE,
    Cause,
    CertificateExpired,
    cause_of_failure,
    cause_of_status,
)
from apps.webhooks.target import UrlRefused


def certificate_error(code: int, message: str = "") -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = code, message
    return error


def tls_error(reason: str) -> ssl.SSLError:
    error = ssl.SSLError(1, "handshake failed")
    error.reason = reason
    return error


@pytest.mark.parametrize(
    ("failure", "code", "words"),
    [
        (UrlRefused("must be an https URL"), "url_refused", "the endpoint's URL must be an https URL"),
        (AddressRefused("10.0.0.1"), "address_not_public", "the address is not public"),
        (NameNotResolved(), "name_not_resolved", "the name does not resolve"),
        (NoThreadLeft(), "internal", "something failed on our side"),
        (DeadlinePassed(), "timeout", "no response within 10 s"),
        (TimeoutError(), "timeout", "no response within 10 s"),
        (CertificateExpired(date(2026, 11, 3)), "tls_certificate", "TLS certificate expired on 3 Nov 2026"),
        (CertificateExpired(None), "tls_certificate", "TLS certificate expired"),
        (certificate_error(9), "tls_certificate", "TLS certificate is not valid yet"),
        (certificate_error(10), "tls_certificate", "TLS certificate expired"),
        (certificate_error(18), "tls_certificate", "TLS certificate is self-signed"),
        (certificate_error(19), "tls_certificate", "TLS certificate comes from an unknown authority"),
        (
            certificate_error(20),
            "tls_certificate",
            "TLS certificate comes from an unknown authority; the chain may be incomplete",
        ),
        (
            certificate_error(21),
            "tls_certificate",
            "TLS certificate comes without its intermediate certificates",
        ),
        (certificate_error(62), "tls_certificate", "TLS certificate is for another host name"),
        (certificate_error(64), "tls_certificate", "TLS certificate is for another address"),
        (certificate_error(1, "odd"), "tls_certificate", "TLS certificate is not trusted: odd"),
        (ConnectionRefusedError(), "connection_refused", "connection refused"),
        (ClosedBeforeAnswer(), "connection_closed", "the connection was closed without a response"),
        (ConnectionAbortedError(), "connection_closed", "the connection was closed without a response"),
        (BadAnswer("SSH-2.0"), "not_http", "what came back is not HTTP"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "unreachable", "the host cannot be reached"),
        (OSError(errno.EMFILE, "Too many"), "connection", "the connection failed: Too many"),
        (socket.gaierror(-2, "Name unknown"), "connection", "the connection failed: Name unknown"),
        (OSError("odd"), "connection", "the connection failed: odd"),
        (tls_error("WRONG_VERSION_NUMBER"), "tls", "TLS failed: wrong version number"),
        (ssl.SSLError(), "tls", "TLS failed: connection closed"),
        (RuntimeError("ours"), "internal", "something failed on our side"),
    ],
)
def test_failure_in_plain_words(failure: Exception, code: str, words: str) -> None:
    assert cause_of_failure(failure, seconds=10.0) == Cause(code, words)


@pytest.mark.parametrize(
    ("status", "cause"),
    [
        (200, None),
        (299, None),
        (199, Cause("status", "answered 199")),
        (300, Cause("redirect", "returned 300; redirects are not followed")),
        (399, Cause("redirect", "returned 399; redirects are not followed")),
        (410, Cause("gone", "returned 410; the delivery is not retried")),
        (503, Cause("status", "answered 503")),
    ],
)
def test_status_in_plain_words(status: int, cause: Cause | None) -> None:
    assert cause_of_status(status) == cause


def test_every_cause_has_its_advice():
    codes = set(re.findall(r'Cause\("(\w+)"', inspect.getsource(causes)))
    assert codes == set(ADVICE) | {"status"}
