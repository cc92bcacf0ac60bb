"""An adapter connected to a stub, without the settings between them."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.esim.suppliers.airalo.client import AiraloClient
from apps.suppliers.http import SupplierHTTP
from apps.suppliers.tokens import TokenStore
from tests.esim.suppliers.airalo.stub import CLIENT_SECRET, AiraloStub
from tests.support.supplier_stub import serving


@contextmanager
def a_stub() -> Iterator[AiraloStub]:
    """With credentials that no stub had before: a token of one is kept for a day."""
    with serving(AiraloStub(client_id=f"stub-client-{uuid4().hex}")) as stub:
        yield stub


def adapter_for(stub: AiraloStub, *, currency: str = "USD") -> AiraloEsim:
    """What it knows of prices is what the stub sells at now."""

    def last_price(supplier_plan_id: str) -> int | None:
        prices = {plan.supplier_plan_id: plan.price_cents for plan in adapter.plans()}
        return prices.get(supplier_plan_id)

    adapter = AiraloEsim(client_for(stub), currency=currency, last_price=last_price)
    return adapter


def client_for(stub: AiraloStub) -> AiraloClient:
    return AiraloClient(
        http=SupplierHTTP("airalo", base_url=stub.url),
        tokens=TokenStore(f"airalo:{stub.client_id}"),
        client_id=stub.client_id,
        client_secret=CLIENT_SECRET,
    )


def credentials(stub: AiraloStub) -> dict[str, str]:
    """As `settings.SUPPLIER_CREDENTIALS` has them."""
    return {
        "base_url": stub.url,
        "client_id": stub.client_id,
        "client_secret": CLIENT_SECRET,
        "currency": "USD",
    }
