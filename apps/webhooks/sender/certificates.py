"""The day on which a refused certificate expired, for the words that a partner reads."""

import ssl
from datetime import date

from cryptography import x509

from apps.common.outbound.connection import Exchange, Origin, connect_to

CERTIFICATE_EXPIRED = 10  # X509_V_ERR_CERT_HAS_EXPIRED


class CertificateExpired(Exception):
    """`on` is the day, where it could be read."""

    def __init__(self, on: date | None) -> None:
        super().__init__(on)
        self.on = on


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
