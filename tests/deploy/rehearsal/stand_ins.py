"""Two suppliers' stand-ins for live keys: Duffel over HTTP, Hotelbeds over TLS, whose certificate can be replaced."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding

from tests.flights.suppliers.duffel.office import TOKEN
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.supplier_stub import serving
from tests.transfers.suppliers.hotelbeds.gate import KEY, SECRET
from tests.transfers.suppliers.hotelbeds.stub import HotelbedsStub
from tests.webhooks.sender.certificates import Authority

ADDRESS = "127.0.0.1"


class TlsHotelbeds(HotelbedsStub):
    """Each call is a connection of its own, so that each sees the certificate of its moment."""

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__()
        self.context = context
        server: Any = self._server
        server.RequestHandlerClass.protocol_version = "HTTP/1.0"
        accept = server.get_request

        def accept_with_tls() -> tuple[ssl.SSLSocket, Any]:
            sock, address = accept()
            return self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False), address

        server.get_request = accept_with_tls


@dataclass
class StandIns:
    duffel: DuffelStub
    hotelbeds: TlsHotelbeds
    authority: Authority
    authority_file: Path

    @property
    def environment(self) -> dict[str, str]:
        """What an operator with these two contracts sets."""
        port = self.hotelbeds.host.rpartition(":")[2]
        return {
            "FLIGHTS_SUPPLIER": "duffel",
            "DUFFEL_ACCESS_TOKEN": TOKEN,
            "DUFFEL_BASE_URL": self.duffel.url,
            "TRANSFERS_SUPPLIER": "hotelbeds",
            "HOTELBEDS_TRANSFERS_KEY": KEY,
            "HOTELBEDS_TRANSFERS_SECRET": SECRET,
            "HOTELBEDS_BASE_URL": f"https://{ADDRESS}:{port}",
            "SUPPLIERS_AUTHORITY": str(self.authority_file),
        }

    def show_certificate(self, *, expired: bool) -> None:
        ends = datetime.now(UTC) + timedelta(days=-1 if expired else 1)
        self.hotelbeds.context = self.authority.server_context(ADDRESS, expires=ends)


@contextmanager
def stand_ins(directory: Path) -> Iterator[StandIns]:
    authority = Authority(directory)
    file = directory / "authority.pem"
    file.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    with ExitStack() as stack:
        duffel = stack.enter_context(serving(DuffelStub()))
        hotelbeds = TlsHotelbeds(authority.server_context(ADDRESS))
        stack.enter_context(serving(hotelbeds))
        yield StandIns(duffel, hotelbeds, authority, file)
