"""Duffel, a supplier of flights, and its webhooks.

    X-Duffel-Signature: t=1616202842,v1=8aebaa7ecaf36950721e4321b6a56d7493d13e73814de672ac5ce4ddd7435054

`v1` is the HMAC-SHA256 of `t.body` under the secret that they showed when the webhook was made. The time is not checked: an
event is stored once by its id, they repeat it for three days, and hearing it late does no harm.
"""

import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings

from apps.flights.suppliers.base import FlightSupplier
from apps.suppliers.content import Content
from apps.suppliers.vendors import Forged, Hint, Lookups, PollingPace, Unreadable, Variable, Vendor, Webhooks

NAME = "duffel"
HEADER = "X-Duffel-Signature"
PING = "ping.triggered"
CREATION_FAILED = "order.creation_failed"
CREDIT_CREATED = "air.airline_credit.created"
CHANGED_BY_AIRLINE = "order.airline_initiated_change_detected"
# Their reference names these two, `order.created` and `payment.created` (https://duffel.com/docs/api/webhooks). Integrators hear
# of others about orders, payments and airline credits: all are hints that an order is to be read. What is of no such family
# does not concern this service.
FAMILIES = ("order.", "order_cancellation.", "order_change.", "payment.", "air.")


def verify(headers: Mapping[str, str], body: bytes) -> Hint | None:
    """Raises Forged, and Unreadable for a signed body that is not an event."""
    refuse_forged(headers.get(HEADER, ""), body)
    event = json.loads(body)
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise Unreadable("not an event")
    return None if event["type"] == PING else hint(event)


def refuse_forged(header: str, body: bytes) -> None:
    secret = settings.SUPPLIER_CREDENTIALS[NAME]["webhook_secret"]
    parts = dict(part.strip().partition("=")[::2] for part in header.split(","))
    signed = hmac.new(secret.encode(), f"{parts.get('t', '')}.".encode() + body, sha256).hexdigest()
    if not secret or not hmac.compare_digest(signed.encode(), parts.get("v1", "").encode()):
        raise Forged


def hint(event: dict[str, Any]) -> Hint | None:
    """None where it names no order, or is of no known family. The object may be the order, or something that belongs to one."""
    if not event["type"].startswith(FAMILIES):
        return None
    object_ = (event.get("data") or {}).get("object")
    if not isinstance(object_, dict):
        raise Unreadable("an event without its object")
    own_id = object_.get("id") or ""
    order_id = object_.get("order_id") or (own_id if str(own_id).startswith("ord_") else "")
    offer_id = object_.get("offer_id") or ""
    client_ref = (object_.get("metadata") or {}).get("reference") or ""
    credit_id = own_id if event["type"] == CREDIT_CREATED else ""
    if not (order_id or offer_id or client_ref or credit_id):
        return None
    return Hint(
        event_id=event.get("id") or "",
        kind=event["type"],
        supplier_reference=order_id,
        client_ref=client_ref,
        offer_id=offer_id,
        object_id=credit_id,
    )


def refresh(supplier: str, hint: Hint) -> None:
    """Give up at once what they say was never created; read at once what an airline has changed, and the code of a credit that it
    has issued. Raises SupplierError.
    """
    # Imported late: services choose among adapters, this one too.
    from apps.flights.services.airline_changes import read_again
    from apps.flights.services.airline_credits import read_credits_again
    from apps.flights.services.book import believe_failed_creation
    from apps.flights.suppliers.duffel.adapter import duffel_flights

    if hint.kind == CHANGED_BY_AIRLINE and hint.supplier_reference:
        read_again(supplier, hint.supplier_reference)
    if hint.kind == CREDIT_CREATED and hint.object_id:
        read_credits_again(supplier, duffel_flights().order_of_credit(hint.object_id))
    if hint.kind == CREATION_FAILED and hint.offer_id:
        believe_failed_creation(supplier, hint.offer_id)


def build() -> FlightSupplier:
    from apps.flights.suppliers.duffel.adapter import duffel_flights

    return duffel_flights()


def contents() -> Sequence[Content]:
    from apps.flights.suppliers.duffel.content import OFFER

    return (OFFER,)


VENDOR: Vendor[FlightSupplier] = Vendor(
    NAME,
    build=build,
    credentials={
        "access_token": Variable("DUFFEL_ACCESS_TOKEN", required=True),
        "webhook_secret": Variable("DUFFEL_WEBHOOK_SECRET"),
        "base_url": Variable("DUFFEL_BASE_URL", "https://api.duffel.com"),
        # Whether an order whose refund is a voucher or credit is cancelled where the partner does not say that this is accepted.
        "cancel_into_vouchers": Variable("DUFFEL_CANCEL_INTO_VOUCHERS", default=False),
    },
    lookups=Lookups(at=(30, 120, 600, 1_800, 3_600, 7_200), give_up_after=3 * 3_600),
    polling=PollingPace(usual=timedelta(days=1), close=timedelta(hours=1), close_from=timedelta(days=2)),
    webhooks=Webhooks(verify, refresh),
    one_booking_per_search=True,
    contents=contents,
)
