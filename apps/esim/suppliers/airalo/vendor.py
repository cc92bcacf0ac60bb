"""Airalo, a supplier of eSIM plans."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from apps.esim.suppliers.base import EsimSupplier
from apps.suppliers.content import Content
from apps.suppliers.vendors import Hint, Lookups, PollingPace, Variable, Vendor, Webhooks

MINUTE = 60


def build() -> EsimSupplier:
    from apps.esim.suppliers.airalo.adapter import airalo_esim

    return airalo_esim()


def verify(headers: Mapping[str, str], raw: bytes) -> Hint | None:
    from apps.esim.suppliers.airalo import webhooks

    return webhooks.verify(headers, raw)


def refresh(supplier: str, hint: Hint) -> None:
    from apps.esim.suppliers.airalo import webhooks

    webhooks.refresh(supplier, hint)


def contents() -> Sequence[Content]:
    from apps.esim.suppliers.airalo.content import PACKAGES

    return (PACKAGES,)


VENDOR: Vendor[EsimSupplier] = Vendor(
    "airalo",
    build=build,
    credentials={
        "client_id": Variable("AIRALO_CLIENT_ID", required=True),
        "client_secret": Variable("AIRALO_CLIENT_SECRET", required=True),
        "base_url": Variable("AIRALO_BASE_URL", "https://partners-api.airalo.com/v2"),
        "currency": Variable("AIRALO_CURRENCY", "USD"),
    },
    lookups=Lookups(at=(5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE), give_up_after=60 * MINUTE),
    # Soon enough for refunds, which take people at Airalo days.
    polling=PollingPace(usual=timedelta(days=1)),
    webhooks=Webhooks(verify, refresh),
    contents=contents,
)
