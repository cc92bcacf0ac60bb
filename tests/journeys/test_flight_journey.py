"""A flight from search to ledger: every step through HTTP, every cent accounted for, every event written."""

from typing import Any

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.webhooks.models import Delivery, Event
from tests.support.api import Api
from tests.support.flight_shop import FlightShop

BALANCE_CENTS = 500_000


@pytest.fixture
def onboarded(db: None) -> Onboarded:
    return onboard_partner(
        Terms(name="Acme Travel", currency="EUR", balance_cents=BALANCE_CENTS, scopes=ENFORCED)
    )


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    return Api(onboarded.test_secret)


def balance(api: Api) -> tuple[int, int]:
    body = api.get("/v1/account/ledger").body
    return body["availableCents"], body["heldCents"]


def ledger_of(api: Api, reference: str) -> list[tuple[str, int, int]]:
    """The lines of one booking, oldest first: type, effect on available, effect on held."""
    lines = api.get(f"/v1/account/ledger?bookingReference={reference}").body["data"]
    return [(line["type"], line["amountCents"], line["heldDeltaCents"]) for line in reversed(lines)]


def told(type: str) -> list[dict[str, Any]]:
    import json

    payloads = Event.objects.filter(type=type).order_by("created_at").values_list("payload", flat=True)
    return [json.loads(payload)["data"] for payload in payloads]


def test_search_reprice_order_change_twice_settle_cancel(api: Api, onboarded: Onboarded) -> None:
    shop = FlightShop(api)
    hooks = {
        "url": "http://127.0.0.1:9999/hooks",
        "events": ["booking.confirmed", "booking.cancelled", "payment.refunded"],
    }
    assert api.post("/v1/webhooks/endpoints", hooks).status == 201

    offer = shop.offer()
    repriced = api.get(f"/v1/flights/offers/{offer['offerId']}").body
    assert repriced["previousTotalCents"] == repriced["totalCents"] == offer["totalCents"]
    assert repriced["priceChanged"] is False
    assert balance(api) == (BALANCE_CENTS, 0)

    order = shop.order(offer, externalReference="TRIP-1").body
    price = offer["totalCents"]
    assert (order["status"], order["totalCents"], order["externalReference"]) == ("ticketed", price, "TRIP-1")
    assert len(order["ticketNumbers"]) == 1
    assert balance(api) == (BALANCE_CENTS - price, 0)

    dearer = shop.options(order)[-1]
    first = shop.change(order["id"], dearer).body
    dear = dearer["differenceCents"]
    assert dear > 0
    assert (first["settled"], first["order"]["totalCents"]) == (True, price + dear)
    assert first["order"]["ticketNumbers"] != order["ticketNumbers"]
    assert balance(api) == (BALANCE_CENTS - price - dear, 0)

    cheaper = shop.options(first["order"])[0]
    second = shop.change(order["id"], cheaper).body
    cheap = cheaper["differenceCents"]
    assert cheap < 0
    assert (second["settled"], second["order"]["totalCents"]) == (False, price + dear + cheap)
    assert balance(api) == (BALANCE_CENTS - price - dear, 0)

    assert settle_owed() == 1
    changes = shop.read(order["id"])["changes"]
    assert [(change["changeId"], change["settled"]) for change in changes] == [
        (dearer["changeId"], True),
        (cheaper["changeId"], True),
    ]
    total = price + dear + cheap
    assert balance(api) == (BALANCE_CENTS - total, 0)

    cancelled = shop.cancel(order["id"], reason="plans changed").body
    penalty = cancelled["cancellation"]["penaltyCents"]
    refund = cancelled["cancellation"]["refundCents"]
    assert (cancelled["status"], penalty + refund) == ("cancelled", total)
    assert balance(api) == (BALANCE_CENTS - penalty, 0)
    again = shop.cancel(order["id"])
    assert (again.status, again.error_type) == (409, "conflict")

    assert ledger_of(api, order["reference"]) == [
        ("hold", -price, price),
        ("capture", 0, -price),
        ("hold", -dear, dear),
        ("capture", 0, -dear),
        ("refund", -cheap, 0),
        ("refund", refund, 0),
    ]
    assert check_ledger() == []
    assert shop.read(order["id"]) == cancelled

    common = {
        "bookingType": "flight",
        "bookingId": order["id"],
        "bookingReference": order["reference"],
        "externalReference": "TRIP-1",
        "currency": "EUR",
    }
    assert told("booking.confirmed") == [{**common, "totalCents": price}]
    assert told("payment.refunded") == [
        {**common, "refundCents": -cheap},
        {**common, "refundCents": refund},
    ]
    assert told("booking.cancelled") == [{**common, "refunded": True, "refundCents": refund}]
    assert sorted(Delivery.objects.values_list("event_type", "status")) == [
        ("booking.cancelled", "PENDING"),
        ("booking.confirmed", "PENDING"),
        ("payment.refunded", "PENDING"),
        ("payment.refunded", "PENDING"),
    ]


def test_an_order_that_fails_leaves_no_trace_in_the_balance(api: Api) -> None:
    shop = FlightShop(api)
    reply = shop.order(shop.offer(), X_Partner_Customer_Ref="sbx_supplier_error")
    assert (reply.status, reply.error_type) == (502, "upstream_error")
    assert reply.headers["X-Sandbox-Trigger"] == "sbx_supplier_error"
    assert balance(api) == (BALANCE_CENTS, 0)
    failed = api.get("/v1/flights/orders?status=failed").body["data"]
    assert [order["status"] for order in failed] == ["failed"]
    total = failed[0]["totalCents"]
    assert ledger_of(api, failed[0]["reference"]) == [("hold", -total, total), ("release", total, -total)]
    assert (Event.objects.count(), check_ledger()) == (0, [])
