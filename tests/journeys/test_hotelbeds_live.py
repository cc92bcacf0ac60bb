"""A live key's transfer at Hotelbeds' stand-in: search, order, capture, cancel; every cent accounted for, every event written."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking
from apps.common import clock
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.suppliers.models import ExchangeRate, SupplierAlert
from apps.suppliers.rates import forget_rates
from apps.webhooks.models import Delivery, Event
from tests.support.api import Api
from tests.transfers.suppliers.hotelbeds.live import live_keys_at_hotelbeds
from tests.transfers.suppliers.hotelbeds.stub import HotelbedsStub

pytestmark = pytest.mark.django_db

BALANCE_CENTS = 100_000
TO_THE_AIRPORT = {
    "from": {
        "type": "GEO",
        "latitude": 39.5712,
        "longitude": 2.6466,
        "address": "Carrer Nou 1",
        "town": "Palma",
        "country": "ES",
        "zip": "07001",
    },
    "to": {"type": "IATA", "code": "PMI"},
    "outbound": "2027-02-10T18:05:00",
    "adults": 2,
    "children": 1,
}
LEAD = {"firstName": "Ines", "lastName": "Prado", "email": "ines@example.org", "phone": "+351210000000"}
RIDE = {"leadPassenger": LEAD, "flightNumber": "ZZ 418", "notes": "One pram", "externalReference": "TRIP-1"}


@pytest.fixture
def stub() -> Iterator[HotelbedsStub]:
    with live_keys_at_hotelbeds() as stub:
        yield stub


def a_partner(currency: str) -> Onboarded:
    return onboard_partner(
        Terms(name="Acme", currency=currency, balance_cents=BALANCE_CENTS, live=True, scopes=ENFORCED)
    )


def live_api(partner: Onboarded) -> Api:
    assert partner.live_secret is not None
    return Api(partner.live_secret)


def balance(api: Api) -> tuple[int, int]:
    body = api.get("/v1/account/ledger").body
    return body["availableCents"], body["heldCents"]


def told() -> list[tuple[str, dict[str, Any]]]:
    events = [(event.type, json.loads(event.payload)) for event in Event.objects.all()]
    assert {payload["environment"] for _, payload in events} == {"live"}
    return sorted((type, payload["data"]) for type, payload in events)


def the_offer(api: Api, vehicle_class: str) -> dict[str, Any]:
    """With a fee of a fifth from the booking on."""
    reply = api.post("/v1/transfers/searches", {**TO_THE_AIRPORT, "vehicleClass": vehicle_class})
    assert reply.status == 201, reply.body
    (offer,) = reply.body["offers"]
    return dict(offer)


@pytest.mark.parametrize(
    ("currency", "price", "penalty"),
    [("EUR", 4720, 944), ("USD", 5192, 1038)],  # 47.20 and 9.44 euros, at 1.1 dollars
)
def test_search_order_capture_cancel(stub: HotelbedsStub, currency: str, price: int, penalty: int) -> None:
    ExchangeRate.objects.create(base="EUR", quote="USD", rate="1.1", as_of=clock.today())
    forget_rates()
    api = live_api(a_partner(currency))
    hooks = {
        "url": "http://127.0.0.1:9999/hooks",
        "events": ["booking.confirmed", "booking.cancelled", "payment.refunded"],
    }
    assert api.post("/v1/webhooks/endpoints", hooks).status == 201

    offer = the_offer(api, "comfort")
    assert (offer["totalCents"], offer["currency"]) == (price, currency)
    assert offer["cancellationPolicy"][0] == {"from": None, "amountCents": penalty, "currency": currency}
    assert balance(api) == (BALANCE_CENTS, 0)

    order = api.post("/v1/transfers/orders", {"quoteId": offer["quoteId"], **RIDE}).body
    assert (order["status"], order["totalCents"], order["remarks"]) == (
        "confirmed",
        price,
        ["One case per person."],
    )
    assert order["pickup"] == {
        "at": "2027-02-10T18:05:00",
        "instructions": "Meet the driver at the arrivals exit.",
        "emergencyPhone": "+34 900 000 000",
    }
    assert order["operator"] == {"name": "Stub Cars SL", "vatNumber": "ESB00000000", "invoiceCompany": "E14"}
    (theirs,) = stub.bookings.values()
    assert (theirs["clientReference"], theirs["totalAmount"]) == (order["reference"], 47.2)
    assert Booking.objects.get().supplier_reference == theirs["reference"]
    assert balance(api) == (BALANCE_CENTS - price, price)
    assert settle_owed() == 1
    assert balance(api) == (BALANCE_CENTS - price, 0)

    path = f"/v1/transfers/orders/{order['id']}"
    too_dear = api.post(f"{path}/cancel", {"maxPenaltyCents": penalty - 1})
    assert (too_dear.status, too_dear.error["penaltyCents"]) == (409, penalty)
    assert theirs["status"] == "CONFIRMED"
    cancelled = api.post(f"{path}/cancel", {"maxPenaltyCents": penalty, "reason": "plans changed"}).body
    refund = price - penalty
    assert (cancelled["status"], theirs["status"]) == ("cancelled", "CANCELLED")
    assert cancelled["cancellation"]["penaltyCents"] == penalty
    assert (cancelled["settlement"]["funds"], cancelled["settlement"]["amountCents"]) == ("refunded", refund)
    assert balance(api) == (BALANCE_CENTS - penalty, 0)
    assert api.post(f"{path}/cancel", {}).status == 409
    assert api.get(path).body == cancelled

    lines = api.get(f"/v1/account/ledger?bookingReference={order['reference']}").body["data"]
    moved = [(line["type"], line["amountCents"], line["heldDeltaCents"]) for line in reversed(lines)]
    assert moved == [("hold", -price, price), ("capture", 0, -price), ("refund", refund, 0)]
    assert check_ledger() == []

    common = {
        "bookingType": "transfer",
        "bookingId": order["id"],
        "bookingReference": order["reference"],
        "externalReference": "TRIP-1",
        "currency": currency,
    }
    assert told() == [
        ("booking.cancelled", {**common, "refunded": True, "refundCents": refund}),
        ("booking.confirmed", {**common, "totalCents": price}),
        ("payment.refunded", {**common, "refundCents": refund}),
    ]
    assert Delivery.objects.filter(status="PENDING").count() == 3
    assert SupplierAlert.objects.count() == 0


def test_a_price_that_rose_is_told_in_the_accounts_currency(stub: HotelbedsStub) -> None:
    ExchangeRate.objects.create(base="EUR", quote="USD", rate="1.1", as_of=clock.today())
    forget_rates()
    api = live_api(a_partner("USD"))
    quote = the_offer(api, "comfort")["quoteId"]
    stub.percent = 110
    refused = api.post("/v1/transfers/orders", {"quoteId": quote, **RIDE})
    assert refused.error_type == "price_changed"
    assert (refused.error["previousTotalCents"], refused.error["currentTotalCents"]) == (5192, 5711)
    assert (stub.bookings, balance(api), check_ledger()) == ({}, (BALANCE_CENTS, 0), [])
