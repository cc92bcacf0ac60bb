"""LiteAPI, a supplier of hotels, and its webhooks: no signature, but a token that only they and we know."""

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from apps.hotels.suppliers.base import HotelSupplier
from apps.suppliers.content import Content
from apps.suppliers.vendors import Forged, Hint, Lookups, Unreadable, Variable, Vendor, Webhooks

NAME = "liteapi"
SCHEME = "Bearer "


def verify(headers: Mapping[str, str], raw_body: bytes) -> Hint | None:
    """The booking that the event speaks of; None where it speaks of none. Raises Forged, Unreadable."""
    refuse_other_token(headers.get("authorization", ""))
    event = json.loads(raw_body)
    if not isinstance(event, dict) or not isinstance(event.get("event_id"), str):
        raise Unreadable("not an event")
    parts = [part for name in ("response", "request") for part in _objects_in(event.get(name))]
    hint = Hint(
        event_id=event["event_id"],
        kind=str(event.get("event_name") or ""),
        supplier_reference=_first(parts, "bookingId"),
        client_ref=_first(parts, "clientReference"),
    )
    return hint if hint.supplier_reference or hint.client_ref else None


def refuse_other_token(told: str) -> None:
    """In constant time, with or without a scheme in front; without a token of ours nothing is genuine."""
    token = settings.SUPPLIER_CREDENTIALS[NAME]["webhook_token"].encode()
    bare = told.removeprefix(SCHEME).encode(errors="surrogateescape")
    if not token or not hmac.compare_digest(bare, token):
        raise Forged("not LiteAPI's token")


def _objects_in(text: Any) -> list[dict[str, Any]]:
    """The object that a string holds, its `data` first; nothing where it holds no object."""
    try:
        whole = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return []
    if not isinstance(whole, dict):
        return []
    data = whole.get("data")
    return [data, whole] if isinstance(data, dict) else [whole]


def _first(parts: list[dict[str, Any]], name: str) -> str:
    return next((part[name] for part in parts if isinstance(part.get(name), str)), "")


def build() -> HotelSupplier:
    from apps.hotels.suppliers.liteapi.adapter import lite_api

    return lite_api()


def contents() -> Sequence[Content]:
    from apps.hotels.suppliers.liteapi.content import FOUND_HOTEL, HOTEL, LISTED_HOTEL, RATES

    return (RATES, FOUND_HOTEL, LISTED_HOTEL, HOTEL)


VENDOR: Vendor[HotelSupplier] = Vendor(
    NAME,
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
