"""A flight sold in another currency: repricing and changes."""

from typing import Any

import pytest

from apps.onboarding.partners import Onboarded
from apps.suppliers.simulation import Market
from tests.flights.desk import BALANCE_CENTS
from tests.journeys.other_currency.journey import (
    MOVED_TO,
    SEARCHED_AT,
    Flight,
    at_supplier,
    available,
    booked,
    kept_rate,
    store_rate,
)
from tests.support.api import Api
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db


def test_an_offer_is_repriced_at_the_rate_of_its_search(api: Api, suppliers: dict[str, Any]) -> None:
    journey = Flight(api)
    store_rate(SEARCHED_AT)
    handle, total = journey.offers()[0]
    store_rate(MOVED_TO)
    reply = api.get(f"/v1/flights/offers/{handle}")
    assert (reply.body["totalCents"], reply.body["priceChanged"]) == (total, False)
    suppliers["flights"].market = Market(percent=120)
    reply = api.get(f"/v1/flights/offers/{handle}")
    now = reply.body["totalCents"]
    assert (reply.body["previousTotalCents"], reply.body["priceChanged"]) == (total, True)
    assert abs(now - total * 6 // 5) <= 10  # the simulator rounds each part of a price
    reply = journey.book(handle)  # it is the quoted price from here on
    assert (reply.status, reply.body["totalCents"]) == (201, now), reply.body


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
def test_a_flight_is_changed_and_cancelled_at_the_rate_of_its_search(
    api: Api, suppliers: dict[str, Any], partner: Onboarded, which: int
) -> None:
    booking = booked(Flight(api))
    shop = FlightShop(api)
    option = shop.options(shop.read(booking.id))[which]
    assert (option["differenceCents"] > 0) == (which == -1)
    assert booking.total_cents + option["differenceCents"] == option["newTotalCents"]
    assert option["currency"] == "EUR"

    store_rate("0.3")
    reply = shop.change(booking.id, option)
    assert (reply.status, reply.body["order"]["totalCents"]) == (200, option["newTotalCents"]), reply.body
    held = at_supplier(booking, suppliers)
    assert kept_rate(booking).cents(held.total_cents) == option["newTotalCents"]
    assert available(partner) == BALANCE_CENTS - option["newTotalCents"]

    cancellation = shop.cancel(booking.id).body["cancellation"]
    assert cancellation["penaltyCents"] + cancellation["refundCents"] == option["newTotalCents"]
    assert available(partner) == BALANCE_CENTS - cancellation["penaltyCents"]


def test_an_order_on_hold_is_paid_at_the_rate_of_its_search(api: Api, partner: Onboarded) -> None:
    store_rate(SEARCHED_AT)
    shop = FlightShop(api)
    offer = next(offer for offer in shop.search() if offer["holdable"])
    order = shop.held(offer)
    assert (order["totalCents"], order["currency"], available(partner)) == (
        offer["totalCents"],
        "EUR",
        BALANCE_CENTS,
    )
    store_rate(MOVED_TO)
    paid = shop.pay(order)
    assert (paid.status, paid.body["totalCents"]) == (200, order["totalCents"])
    assert available(partner) == BALANCE_CENTS - order["totalCents"]
