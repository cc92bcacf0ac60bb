"""Hotelbeds, a supplier of transfers. It sends no webhooks."""

from collections.abc import Sequence
from datetime import timedelta

from apps.suppliers.content import Content
from apps.suppliers.vendors import Lookups, PollingPace, Variable, Vendor
from apps.transfers.suppliers.base import TransferSupplier


def build() -> TransferSupplier:
    from apps.transfers.suppliers.hotelbeds.adapter import hotelbeds_transfers

    return hotelbeds_transfers()


def contents() -> Sequence[Content]:
    from apps.transfers.suppliers.hotelbeds.content import SERVICE

    return (SERVICE,)


VENDOR: Vendor[TransferSupplier] = Vendor(
    "hotelbeds",
    build=build,
    credentials={
        "key": Variable("HOTELBEDS_TRANSFERS_KEY", required=True),
        "secret": Variable("HOTELBEDS_TRANSFERS_SECRET", required=True),
        "base_url": Variable("HOTELBEDS_BASE_URL", "https://api.hotelbeds.com"),
    },
    lookups=Lookups(at=(30, 120, 600, 3_600), give_up_after=7_200),
    polling=PollingPace(usual=timedelta(days=1), close=timedelta(hours=1), close_from=timedelta(days=1)),
    contents=contents,
)
