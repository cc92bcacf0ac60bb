"""The connection that this deployment uses, from its settings."""

from hashlib import sha256

from django.conf import settings

from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.esim.suppliers.airalo.client import AiraloClient
from apps.esim.suppliers.airalo.errors import NAME
from apps.suppliers.http import SupplierHTTP
from apps.suppliers.tokens import TokenStore

TOKENS_OF = 16


def airalo_esim() -> AiraloEsim:
    # Imported late: the adapter itself needs no models.
    from apps.esim.selectors import price_at_last_sync

    credentials = settings.SUPPLIER_CREDENTIALS[NAME]
    base_url, client_id = credentials["base_url"], credentials["client_id"]
    client = AiraloClient(
        http=SupplierHTTP(NAME, base_url=base_url),
        tokens=TokenStore(f"{NAME}:{_digest(base_url, client_id)}"),
        client_id=client_id,
        client_secret=credentials["client_secret"],
    )
    return AiraloEsim(
        client,
        currency=credentials["currency"],
        last_price=lambda plan: price_at_last_sync(NAME, plan),
    )


def _digest(*parts: str) -> str:
    """Other credentials have other tokens."""
    return sha256("\0".join(parts).encode()).hexdigest()[:TOKENS_OF]
