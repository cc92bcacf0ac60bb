"""LiteAPI, a supplier of hotels."""

from collections.abc import Mapping, Sequence

from apps.hotels.suppliers.base import HotelSupplier
from apps.suppliers.content import Content
from apps.suppliers.vendors import Hint, Lookups, Variable, Vendor, Webhooks


def build() -> HotelSupplier:
    from apps.hotels.suppliers.liteapi.adapter import lite_api

    return lite_api()


def verify(headers: Mapping[str, str], raw_body: bytes) -> Hint | None:
    from apps.hotels.suppliers.liteapi import webhooks

    return webhooks.verify(headers, raw_body)


def contents() -> Sequence[Content]:
    from apps.hotels.suppliers.liteapi.content import FOUND_HOTEL, HOTEL, RATES

    return (RATES, FOUND_HOTEL, HOTEL)


VENDOR: Vendor[HotelSupplier] = Vendor(
    "liteapi",
    build=build,
    credentials={
        "key": Variable("LITEAPI_KEY", required=True),
        "payment_method": Variable("LITEAPI_PAYMENT_METHOD", required=True),
        "webhook_token": Variable("LITEAPI_WEBHOOK_TOKEN"),
        "base_url": Variable("LITEAPI_BASE_URL", "https://api.liteapi.travel/v3.0"),
        "booking_base_url": Variable("LITEAPI_BOOKING_BASE_URL", "https://book.liteapi.travel/v3.0"),
    },
    lookups=Lookups(at=(10, 60, 5 * 60, 15 * 60, 60 * 60), give_up_after=60 * 60),
    webhooks=Webhooks(verify),
    contents=contents,
)
