"""Duffel, a supplier of flights."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from apps.flights.suppliers.base import FlightSupplier
from apps.suppliers.content import Content
from apps.suppliers.vendors import Hint, Lookups, PollingPace, Variable, Vendor, Webhooks


def build() -> FlightSupplier:
    from apps.flights.suppliers.duffel.adapter import duffel_flights

    return duffel_flights()


def verify(headers: Mapping[str, str], body: bytes) -> Hint | None:
    from apps.flights.suppliers.duffel import webhooks

    return webhooks.verify(headers, body)


def refresh(supplier: str, hint: Hint) -> None:
    from apps.flights.suppliers.duffel import webhooks

    webhooks.refresh(supplier, hint)


def contents() -> Sequence[Content]:
    from apps.flights.suppliers.duffel.content import OFFER

    return (OFFER,)


VENDOR: Vendor[FlightSupplier] = Vendor(
    "duffel",
    build=build,
    credentials={
        "access_token": Variable("DUFFEL_ACCESS_TOKEN", required=True),
        "webhook_secret": Variable("DUFFEL_WEBHOOK_SECRET"),
        "base_url": Variable("DUFFEL_BASE_URL", "https://api.duffel.com"),
        # Whether an order may be cancelled whose refund is a voucher: the partner then gets nothing back.
        "cancel_into_vouchers": Variable("DUFFEL_CANCEL_INTO_VOUCHERS", default=False),
    },
    lookups=Lookups(at=(30, 120, 600, 1_800, 3_600, 7_200), give_up_after=3 * 3_600),
    polling=PollingPace(usual=timedelta(days=1), close=timedelta(hours=1), close_from=timedelta(days=2)),
    webhooks=Webhooks(verify, refresh),
    contents=contents,
)
