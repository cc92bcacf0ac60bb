"""Certificates made on the spot: an authority, and what it (or nobody) vouches for."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """A certificate authority of the test's own; `client_context()` trusts it and nobody else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        now = datetime.now(UTC)
        self.certificate = (
            x509.CertificateBuilder(self._name, self._name, self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=400))
            .not_valid_after(now + timedelta(days=400))
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )

    def client_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.load_verify_locations(
            cadata=self.certificate.public_bytes(serialization.Encoding.PEM).decode()
        )
        return context

    def server_context(self, *names: str, expires: datetime | None = None) -> ssl.SSLContext:
        """For a server that calls itself by `names` (host names or IPv4 addresses)."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        expires = expires or datetime.now(UTC) + timedelta(days=1)
        certificate = (
            x509.CertificateBuilder(self._name, subject, key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(expires - timedelta(days=90))
            .not_valid_after(expires)
            .add_extension(
                x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        file = self._folder / f"{certificate.serial_number}.pem"
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(IPv4Address(name))
    except ValueError:
        return x509.DNSName(name)
