"""Booking and cancelling, step by step: what is asked before, what is sent, what is compared afterwards."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.models import SupplierAlert
from apps.transfers.suppliers.base import Cancellation, Place, TransferOffer
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from tests.transfers.suppliers.hotelbeds.stub import AVAILABILITY, BOOKING, BOOKINGS, HotelbedsStub
from tests.transfers.suppliers.requests import a_search, an_order, new_ref

pytestmark = pytest.mark.django_db


@pytest.fixture
def quoted(hotelbeds: HotelbedsTransfers) -> TransferOffer:
    return the_car(hotelbeds)


def the_car(hotelbeds: HotelbedsTransfers, **search: Any) -> TransferOffer:
    """The standard one: free to cancel until the day before."""
    (offer,) = hotelbeds.search(a_search(vehicle_class="economy", **search))
    return offer


def searches(stub: HotelbedsStub) -> int:
    return len(stub.heard_by("GET", AVAILABILITY))


def sent(stub: HotelbedsStub) -> dict[str, Any]:
    (heard,) = stub.heard_by("POST", BOOKINGS)
    body: dict[str, Any] = heard.json
    return body


def test_an_order_says_all_that_the_driver_needs(hotelbeds, stub, quoted):
    order = hotelbeds.book(an_order(quoted, "T-7KQ2M9XD"))
    body = sent(stub)
    assert body.pop("transfers") == [
        {
            "rateKey": "STUBRATEKEY|000008",  # of the second answer
            "transferDetails": [
                {"type": "FLIGHT", "direction": "ARRIVAL", "code": "TP1234", "companyName": None}
            ],
        }
    ]
    assert body == {
        "language": "en",
        "holder": {
            "name": "Ada",
            "surname": "Lovelace",
            "email": "ada@example.com",
            "phone": "+351210000000",
        },
        "clientReference": "T-7KQ2M9XD",
        "remark": "One pram",
    }
    assert order.supplier_reference == "102-7654321"
    assert order.pickup.emergency_phone == "+34 900 000 000"
    assert order.pickup.at == a_search().outbound
    assert SupplierAlert.objects.count() == 0


def test_an_offer_just_repriced_is_booked_without_another_look(hotelbeds, stub, quoted):
    current = hotelbeds.reprice(a_search(), quoted)
    assert searches(stub) == 2
    hotelbeds.book(an_order(current))
    assert searches(stub) == 2
    assert sent(stub)["transfers"][0]["rateKey"] == current.supplier_data["rateKey"]
    assert current.supplier_data["rateKey"] != quoted.supplier_data["rateKey"]


def test_an_offer_repriced_minutes_ago_is_looked_at_again(hotelbeds, stub, quoted, later):
    current = hotelbeds.reprice(a_search(), quoted)
    later(61)
    stub.expire()
    hotelbeds.book(an_order(current))
    assert (searches(stub), len(stub.bookings)) == (3, 1)


def test_a_dearer_order_than_was_offered_is_told_to_staff(hotelbeds, stub, quoted):
    stub.surcharge = Decimal("1.50")
    order = hotelbeds.book(an_order(quoted))
    assert order.total_cents == 4_000
    alert = SupplierAlert.objects.get()
    assert (alert.supplier, alert.kind) == ("hotelbeds", "price_above_quote")
    assert alert.detail == "102-7654321: 40.0 EUR instead of 38.5 EUR"


@pytest.mark.parametrize("surcharge", ["-2.31", "-0.01", "0"])
def test_a_cheaper_order_than_was_offered_is_no_trouble(hotelbeds, stub, quoted, surcharge):
    """Their confirmations are often below the quoted price: 36.80 was seen as 34.49."""
    stub.surcharge = Decimal(surcharge)
    request = an_order(quoted)
    expected = 3_850 + round(Decimal(surcharge) * 100)
    assert hotelbeds.book(request).total_cents == expected
    found = hotelbeds.find_order(request.client_ref, request)
    assert found is not None
    assert found.total_cents == expected
    assert SupplierAlert.objects.count() == 0


def test_under_a_contract_with_commission_the_net_amount_is_what_we_pay(hotelbeds, stub):
    stub.net = True
    offer = the_car(hotelbeds)
    order = hotelbeds.book(an_order(offer))
    assert (offer.total_cents, order.total_cents) == (3465, 3465)
    assert hotelbeds.read_order(order.supplier_reference).total_cents == 3465
    assert SupplierAlert.objects.count() == 0


def test_an_order_that_is_not_confirmed_yet_is_no_answer(hotelbeds, stub, quoted):
    stub.status = "ON_REQUEST"
    request = an_order(quoted)
    with pytest.raises(OutcomeUnknown):
        hotelbeds.book(request)
    with pytest.raises(Unavailable):
        hotelbeds.find_order(request.client_ref, request)
    (booking,) = stub.bookings.values()
    booking["status"] = "CONFIRMED"
    found = hotelbeds.find_order(request.client_ref, request)
    assert found is not None
    assert found.supplier_reference == booking["reference"]


def test_an_orders_policy_counts_by_the_clock_that_it_was_quoted_by(hotelbeds: HotelbedsTransfers) -> None:
    """The search names the town; their order names a code, and nobody knows where that is."""
    port = Place("PORT", "BCP", town="Barcelona", country="ES")
    offer = the_car(hotelbeds, start=port)
    request = replace(an_order(offer, start=port), flight_number="SEASIDE, MSC Cruises")
    order = hotelbeds.book(request)
    assert order.cancellation_policy == offer.cancellation_policy
    assert hotelbeds.find_order(request.client_ref, request) == order


def test_cancelling_is_simulated_before_it_is_done(hotelbeds, stub, quoted):
    reference = hotelbeds.book(an_order(quoted)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    assert quote == Cancellation(0, 3850, "EUR")
    assert stub.bookings[reference]["status"] == "CONFIRMED"
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    asked = [heard.query.get("simulation") for heard in stub.heard_by("DELETE", BOOKING)]
    assert asked == ["true", "true", None]


def test_a_cancellation_that_costs_more_than_simulated_is_told_to_staff(hotelbeds, stub, quoted, monkeypatch):
    """The partner pays what was quoted: it had agreed to no more."""
    reference = hotelbeds.book(an_order(quoted)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    charges = iter([Decimal(0), Decimal(5)])  # simulated, done
    monkeypatch.setattr(stub, "_charge", lambda booking: next(charges))
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    alert = SupplierAlert.objects.get()
    assert (alert.kind, alert.detail) == (
        "price_above_quote",
        f"{reference}: cancelled for more than was simulated",
    )


@pytest.mark.parametrize(("left", "net", "penalty"), [(0, None, 0), (0, 34.65, 0), (38.5, 34.65, 3465)])
def test_under_a_contract_with_commission_what_is_left_is_the_penalty(hotelbeds, stub, left, net, penalty):
    """Whether the services keep their prices, as their documents have it, or tell 0.0, as they do."""
    stub.net = True
    reference = hotelbeds.book(an_order(the_car(hotelbeds))).supplier_reference
    sold = stub.bookings[reference]["transfers"]
    stub.call_off(reference)
    stub.bookings[reference] |= {"totalAmount": left, "totalNetAmount": net}
    assert hotelbeds.read_order(reference).cancellation == Cancellation(penalty, 0, "EUR")
    stub.bookings[reference]["transfers"] = sold
    assert hotelbeds.read_order(reference).cancellation == Cancellation(penalty, 3465 - penalty, "EUR")


def test_a_cancelled_order_tells_its_charge_and_prices_of_nothing(hotelbeds, stub):
    offer = next(one for one in hotelbeds.search(a_search()) if one.vehicle.category == "comfort")
    reference = hotelbeds.book(an_order(offer)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    assert quote == Cancellation(944, 3776, "EUR")
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    (transfer,) = stub.bookings[reference]["transfers"]
    assert (transfer["price"]["totalAmount"], stub.bookings[reference]["totalAmount"]) == (0.0, 9.44)
    assert hotelbeds.read_order(reference).cancellation == Cancellation(944, 0, "EUR")
