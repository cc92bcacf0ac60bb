"""A live key sells a flight through Duffel's stand-in, from search to ledger; the supplier's side over real HTTP."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.common import clock
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded, Terms, onboard_partner
from apps.suppliers.currency import Exchange
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from apps.webhooks.models import Delivery, Event
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.api import Api
from tests.support.flight_shop import FlightShop

BALANCE_CENTS = 500_000
CHANGE_FEES = 2 * 2_500
"""Of two changes. Duffel returns them with no cancellation."""
HOOKS = {
    "url": "http://127.0.0.1:9999/hooks",
    "events": ["booking.confirmed", "booking.cancelled", "payment.refunded"],
}


@pytest.fixture
def stub(db: None) -> Iterator[DuffelStub]:
    with live_keys_at_duffel() as stub:
        yield stub


@pytest.fixture
def onboarded(stub: DuffelStub) -> Onboarded:
    return onboard_partner(
        Terms(name="Acme Travel", currency="EUR", balance_cents=BALANCE_CENTS, scopes=ENFORCED, live=True)
    )


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    assert onboarded.live_secret is not None
    return Api(onboarded.live_secret)


def balance(api: Api) -> tuple[int, int]:
    body = api.get("/v1/account/ledger").body
    return body["availableCents"], body["heldCents"]


def ledger_of(api: Api, reference: str) -> list[tuple[str, int, int]]:
    """The lines of one booking, oldest first: type, effect on available, effect on held."""
    lines = api.get(f"/v1/account/ledger?bookingReference={reference}").body["data"]
    return [(line["type"], line["amountCents"], line["heldDeltaCents"]) for line in reversed(lines)]


def told(type: str) -> list[dict[str, Any]]:
    payloads = Event.objects.filter(type=type).order_by("created_at").values_list("payload", flat=True)
    return [json.loads(payload)["data"] for payload in payloads]


def cents(amount: str) -> int:
    return int(amount.replace(".", ""))


def test_search_reprice_order_change_both_ways_cancel(api: Api, stub: DuffelStub) -> None:
    shop = FlightShop(api)
    assert api.post("/v1/webhooks/endpoints", HOOKS).status == 201

    offer = shop.offer()
    stub.percent = 110
    repriced = api.get(f"/v1/flights/offers/{offer['offerId']}").body
    assert (repriced["priceChanged"], repriced["previousTotalCents"]) == (True, offer["totalCents"])
    stub.percent = 105  # down again: the partner pays what it costs now, not what was quoted
    order = shop.order(offer, externalReference="TRIP-1").body
    (at_duffel,) = stub.orders.values()
    price = cents(at_duffel["total_amount"])
    assert offer["totalCents"] < price < repriced["totalCents"]
    assert (order["status"], order["totalCents"], order["externalReference"]) == ("ticketed", price, "TRIP-1")
    assert order["supplier"] == {"name": "duffel", "reference": at_duffel["id"]}
    assert (at_duffel["metadata"], len(order["pnr"])) == ({"reference": order["reference"]}, 6)
    assert len(order["ticketNumbers"]) == 1
    assert [leg["sliceId"] for leg in order["slices"]] == [leg["sliceId"] for leg in offer["slices"]]
    assert balance(api) == (BALANCE_CENTS - price, 0)

    dearer = shop.options(order)[-1]
    dear = dearer["differenceCents"]
    first = shop.change(order["id"], dearer).body
    assert (dear, first["settled"], first["order"]["totalCents"]) == (12_500, True, price + dear)
    assert first["order"]["slices"] == [dearer["slice"]]
    assert balance(api) == (BALANCE_CENTS - price - dear, 0)

    cheaper = shop.options(first["order"])[0]
    cheap = cheaper["differenceCents"]
    second = shop.change(order["id"], cheaper).body
    assert (cheap, second["settled"], second["order"]["totalCents"]) == (-3_100, False, price + dear + cheap)
    assert settle_owed() == 1
    total = price + dear + cheap
    assert balance(api) == (BALANCE_CENTS - total, 0)
    assert total == cents(at_duffel["total_amount"]) + CHANGE_FEES, (
        "Their total leaves out what changing cost"
    )

    lost = 4_000 + CHANGE_FEES
    dear_to_cancel = shop.cancel(order["id"], maxPenaltyCents=lost - 1)
    assert (dear_to_cancel.status, dear_to_cancel.error["penaltyCents"]) == (409, lost)
    assert at_duffel["cancelled_at"] is None
    cancelled = shop.cancel(order["id"], reason="plans changed").body
    penalty, refund = cancelled["cancellation"]["penaltyCents"], cancelled["cancellation"]["refundCents"]
    assert (cancelled["status"], penalty, refund) == ("cancelled", lost, total - lost)
    assert at_duffel["cancelled_at"] is not None
    assert balance(api) == (BALANCE_CENTS - penalty, 0)

    assert ledger_of(api, order["reference"]) == [
        ("hold", -repriced["totalCents"], repriced["totalCents"]),
        ("capture", 0, -price),
        ("release", repriced["totalCents"] - price, price - repriced["totalCents"]),
        ("hold", -dear, dear),
        ("capture", 0, -dear),
        ("refund", -cheap, 0),
        ("refund", refund, 0),
    ]
    assert check_ledger() == []

    common = {
        "bookingType": "flight",
        "bookingId": order["id"],
        "bookingReference": order["reference"],
        "externalReference": "TRIP-1",
        "currency": "EUR",
    }
    assert told("booking.confirmed") == [{**common, "totalCents": price}]
    assert told("payment.refunded") == [{**common, "refundCents": -cheap}, {**common, "refundCents": refund}]
    assert told("booking.cancelled") == [{**common, "refunded": True, "refundCents": refund}]
    assert sorted(Delivery.objects.values_list("event_type", "status")) == [
        ("booking.cancelled", "PENDING"),
        ("booking.confirmed", "PENDING"),
        ("payment.refunded", "PENDING"),
        ("payment.refunded", "PENDING"),
    ]


def test_a_test_key_never_reaches_duffel(onboarded: Onboarded, stub: DuffelStub) -> None:
    assert onboarded.test_secret is not None
    shop = FlightShop(Api(onboarded.test_secret))
    assert shop.ordered()["supplier"]["name"] == "simulator"
    assert stub.heard == []


def test_what_duffel_would_refuse_is_told_before_money_is_held(api: Api, stub: DuffelStub) -> None:
    shop = FlightShop(api)
    offer = shop.offer()
    traveller = {
        "title": "dr",
        "firstName": "Дмитрий",
        "lastName": "Wolfeschlegelsteinhausen",
        "dateOfBirth": "1990-12-10",
        "type": "adult",
    }
    reply = api.post(
        "/v1/flights/orders",
        {
            "offerId": offer["offerId"],
            "passengers": [traveller],
            "contact": {"email": "d@example.com", "phone": "+351210000000"},
        },
    )
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error["details"]] == [
        "passengers.0.gender",
        "passengers.0.firstName",
        "passengers.0.lastName",
    ]
    assert (stub.heard_by("POST", paths.ORDERS), api.get("/v1/account/ledger?type=hold").body["data"]) == (
        [],
        [],
    )


def test_a_refund_that_the_airline_does_not_name_is_a_conflict_and_nothing_is_confirmed(
    api: Api, stub: DuffelStub
) -> None:
    shop = FlightShop(api)
    order = shop.ordered()
    stub.refund_known = False
    before = balance(api)
    reply = shop.cancel(order["id"])
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert stub.heard_by("POST", paths.CONFIRM_CANCELLATION) == []
    assert shop.read(order["id"])["status"] == "ticketed"
    assert balance(api) == before
    assert check_ledger() == []


def test_an_order_that_its_airline_cancelled_is_refunded_by_the_poll(
    api: Api, stub: DuffelStub, move_clock: Any
) -> None:
    order = FlightShop(api).ordered()
    stub.cancel_by_airline(order["supplier"]["reference"])
    move_clock(hours=25)
    assert poll_suppliers() == 1
    assert balance(api) == (BALANCE_CENTS, 0)
    assert check_ledger() == []


def test_an_airline_that_charges_dollars_is_paid_in_dollars_by_a_partner_in_euros(
    api: Api, stub: DuffelStub
) -> None:
    """What the partner pays is what Duffel holds at the rate of the search, after every step."""
    today = clock.today()
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=Decimal("0.8713"), as_of=today, source="test")
    forget_rates()
    rate = Exchange("USD", "EUR", Decimal("0.8713"), today)
    stub.currency = "USD"
    shop = FlightShop(api)
    order = shop.ordered()
    (at_duffel,) = stub.orders.values()
    assert (order["currency"], order["totalCents"]) == ("EUR", rate.cents(cents(at_duffel["total_amount"])))

    shop.change(order["id"], shop.options(order)[-1])
    cheaper = shop.change(order["id"], shop.options(shop.read(order["id"]))[0]).body
    assert settle_owed() == 1
    total = rate.cents(cents(at_duffel["total_amount"]) + CHANGE_FEES)
    assert cheaper["order"]["totalCents"] == total
    assert balance(api) == (BALANCE_CENTS - total, 0)

    cancelled = shop.cancel(order["id"]).body["cancellation"]
    lost = total - rate.cents(cents(at_duffel["total_amount"]) - 4_000)
    assert (cancelled["penaltyCents"], cancelled["refundCents"]) == (lost, total - lost)
    assert balance(api) == (BALANCE_CENTS - lost, 0)
    assert check_ledger() == []


def test_an_order_in_dollars_that_staff_cancelled_returns_what_came_back_at_the_rate_of_the_search(
    api: Api, stub: DuffelStub, move_clock: Any
) -> None:
    today = clock.today()
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=Decimal("0.8713"), as_of=today, source="test")
    forget_rates()
    rate = Exchange("USD", "EUR", Decimal("0.8713"), today)
    stub.currency = "USD"
    order = FlightShop(api).ordered()
    (at_duffel,) = stub.orders.values()
    stub.cancel_by_staff(order["supplier"]["reference"], refund="30.00")
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=Decimal("0.5"), as_of=today, source="test")
    forget_rates()
    move_clock(hours=25)
    assert poll_suppliers() == 1
    kept = rate.cents(cents(at_duffel["total_amount"]) - 3_000)
    ended = FlightShop(api).read(order["id"])["cancellation"]
    assert (ended["penaltyCents"], ended["refundCents"]) == (kept, order["totalCents"] - kept)
    assert balance(api) == (BALANCE_CENTS - kept, 0)
    assert check_ledger() == []
