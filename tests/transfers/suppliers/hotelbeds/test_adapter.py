"""Booking and cancelling, step by step: what is asked before, what is sent, what is compared afterwards."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from apps.suppliers.errors import (
    Expired,
    InvalidField,
    NotPossible,
    OutcomeUnknown,
    PriceChanged,
    Unavailable,
)
from apps.suppliers.models import SupplierAlert
from apps.transfers.suppliers.base import Cancellation, Place, TransferOffer
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.vendor import VENDOR
from tests.support.supplier_stub import TOO_LATE, Trouble
from tests.transfers.suppliers.hotelbeds.stub import AVAILABILITY, BOOKING, BOOKINGS, HotelbedsStub
from tests.transfers.suppliers.requests import HOTEL, PALMA, a_search, an_order, new_ref, point

pytestmark = pytest.mark.django_db

VILLA = replace(point("39.57", "2.65"), address="Carrer Nou 1", town="Palma", country="ES", zip="07001")


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


def test_an_order_says_all_that_the_driver_needs(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
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


def test_coordinates_are_booked_with_their_address(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub
) -> None:
    offer = the_car(hotelbeds, start=VILLA, end=PALMA)
    hotelbeds.book(an_order(offer, start=VILLA, end=PALMA))
    (transfer,) = sent(stub)["transfers"]
    assert transfer["pickupInformation"]["address"] == "Carrer Nou 1"
    assert [detail["direction"] for detail in transfer["transferDetails"]] == ["DEPARTURE"]


def test_an_offer_just_repriced_is_booked_without_another_look(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    current = hotelbeds.reprice(a_search(), quoted)
    assert searches(stub) == 2
    hotelbeds.book(an_order(current))
    assert searches(stub) == 2
    assert sent(stub)["transfers"][0]["rateKey"] == current.supplier_data["rateKey"]
    assert current.supplier_data["rateKey"] != quoted.supplier_data["rateKey"]


def test_an_offer_repriced_minutes_ago_is_looked_at_again(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer, later: Callable[[float], None]
) -> None:
    current = hotelbeds.reprice(a_search(), quoted)
    later(61)
    stub.expire()
    hotelbeds.book(an_order(current))
    assert (searches(stub), len(stub.bookings)) == (3, 1)


def test_a_rate_key_that_ends_at_the_last_moment_has_expired(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    current = hotelbeds.reprice(a_search(), quoted)
    stub.expire()
    with pytest.raises(Expired):
        hotelbeds.book(an_order(current))


@pytest.mark.parametrize("percent", [110, 200])
def test_a_dearer_service_is_not_booked(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer, percent: int
) -> None:
    stub.percent = percent
    with pytest.raises(PriceChanged) as raised:
        hotelbeds.book(an_order(quoted))
    assert raised.value.current_cents == 3850 * percent // 100
    assert stub.heard_by("POST", BOOKINGS) == []


def test_a_cheaper_service_is_booked_at_its_price(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    stub.percent = 90
    assert hotelbeds.book(an_order(quoted)).total_cents == 3465


def test_a_dearer_order_than_was_offered_is_told_to_staff(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    stub.surcharge = Decimal("1.50")
    order = hotelbeds.book(an_order(quoted))
    assert order.total_cents == 4_000
    alert = SupplierAlert.objects.get()
    assert (alert.supplier, alert.kind) == ("hotelbeds", "price_above_quote")
    assert alert.detail == "102-7654321: 40.0 EUR instead of 38.5 EUR"


@pytest.mark.parametrize("surcharge", ["-2.31", "-0.01", "0"])
def test_a_cheaper_order_than_was_offered_is_no_trouble(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer, surcharge: str
) -> None:
    """Their confirmations are often below the quoted price: 36.80 was seen as 34.49."""
    stub.surcharge = Decimal(surcharge)
    request = an_order(quoted)
    expected = 3_850 + round(Decimal(surcharge) * 100)
    assert hotelbeds.book(request).total_cents == expected
    found = hotelbeds.find_order(request.client_ref, request)
    assert found is not None
    assert found.total_cents == expected
    assert SupplierAlert.objects.count() == 0


def test_under_a_contract_with_commission_the_net_amount_is_what_we_pay(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub
) -> None:
    stub.net = True
    offer = the_car(hotelbeds)
    order = hotelbeds.book(an_order(offer))
    assert (offer.total_cents, order.total_cents) == (3465, 3465)
    assert hotelbeds.read_order(order.supplier_reference).total_cents == 3465
    assert SupplierAlert.objects.count() == 0


def test_an_order_that_is_not_confirmed_yet_is_no_answer(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
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


def test_an_order_may_lack_what_its_offer_told(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    stub.lean = True
    order = hotelbeds.book(an_order(quoted))
    assert (order.total_cents, order.cancellation_policy, order.pickup.at) == (3850, (), None)


def test_an_orders_policy_counts_by_the_clock_that_it_was_quoted_by(hotelbeds: HotelbedsTransfers) -> None:
    """The search names the town; their order names a code, and nobody knows where that is."""
    port = Place("PORT", "BCP", town="Barcelona", country="ES")
    offer = the_car(hotelbeds, start=port)
    request = replace(an_order(offer, start=port), flight_number="SEASIDE, MSC Cruises")
    order = hotelbeds.book(request)
    assert order.cancellation_policy == offer.cancellation_policy
    assert hotelbeds.find_order(request.client_ref, request) == order


def test_what_an_order_lacks_is_known_before_any_call(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    calls = len(stub.heard)
    with pytest.raises(InvalidField) as raised:
        hotelbeds.refuse_lacking(replace(an_order(quoted), flight_number=None))
    assert raised.value.field == "flightNumber"
    hotelbeds.refuse_lacking(an_order(quoted))
    hotelbeds.refuse_lacking(replace(an_order(quoted, start=HOTEL, end=VILLA), flight_number=None))
    for terminal in (Place("STATION", "PMS"), Place("PORT", "PMP")):
        with pytest.raises(InvalidField):
            hotelbeds.refuse_lacking(replace(an_order(quoted, end=terminal), flight_number="TP1234"))
    assert len(stub.heard) == calls


def test_cancelling_is_simulated_before_it_is_done(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    reference = hotelbeds.book(an_order(quoted)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    assert quote == Cancellation(0, 3850, "EUR")
    assert stub.bookings[reference]["status"] == "CONFIRMED"
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    asked = [heard.query.get("simulation") for heard in stub.heard_by("DELETE", BOOKING)]
    assert asked == ["true", "true", None]


def test_a_penalty_that_rose_since_is_not_paid(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    reference = hotelbeds.book(an_order(quoted)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    (transfer,) = stub.bookings[reference]["transfers"]
    transfer["cancellationPolicies"][0]["from"] = "2020-01-01T00:00:00"
    with pytest.raises(NotPossible):
        hotelbeds.cancel(new_ref(), reference, quote)
    assert stub.bookings[reference]["status"] == "CONFIRMED"


def test_a_cancellation_that_costs_more_than_simulated_is_told_to_staff(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_under_a_contract_with_commission_what_is_left_is_the_penalty(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, left: float, net: float | None, penalty: int
) -> None:
    """Whether the services keep their prices, as their documents have it, or tell 0.0, as they do."""
    stub.net = True
    reference = hotelbeds.book(an_order(the_car(hotelbeds))).supplier_reference
    sold = stub.bookings[reference]["transfers"]
    stub.call_off(reference)
    stub.bookings[reference] |= {"totalAmount": left, "totalNetAmount": net}
    assert hotelbeds.read_order(reference).cancellation == Cancellation(penalty, 0, "EUR")
    stub.bookings[reference]["transfers"] = sold
    assert hotelbeds.read_order(reference).cancellation == Cancellation(penalty, 3465 - penalty, "EUR")


def test_a_refused_cancellation_that_was_done_for_more_is_told_to_staff(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = hotelbeds.book(an_order(quoted)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)

    def refuse(reference: str) -> None:
        stub.bookings[reference] |= {"status": "CANCELLED", "totalAmount": 5}
        raise NotPossible("The order cannot be cancelled any more.")

    monkeypatch.setattr(hotelbeds.client, "cancel", refuse)
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    assert SupplierAlert.objects.get().kind == "price_above_quote"


def test_an_order_that_they_cancelled_is_told_with_what_it_cost(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, quoted: TransferOffer
) -> None:
    order = hotelbeds.book(an_order(quoted))
    stub.call_off(order.supplier_reference)
    assert hotelbeds.read_order(order.supplier_reference).cancellation == Cancellation(0, 0, "EUR")
    with pytest.raises(NotPossible):
        hotelbeds.quote_cancellation(order.supplier_reference)


@pytest.mark.parametrize("trouble", [Trouble(end="hang"), Trouble(end="reset"), Trouble(wait=TOO_LATE)])
def test_the_answer_to_an_order_may_get_lost(
    hotelbeds: HotelbedsTransfers,
    stub: HotelbedsStub,
    quoted: TransferOffer,
    short_bookings: None,
    trouble: Trouble,
) -> None:
    request = an_order(quoted)
    stub.trouble("POST", BOOKINGS, trouble)
    with pytest.raises(OutcomeUnknown):
        hotelbeds.book(request)
    stub.await_heard("POST", BOOKINGS)
    found = hotelbeds.find_order(request.client_ref, request)
    assert found is not None
    assert [found.supplier_reference] == list(stub.bookings)
    assert len(stub.heard_by("POST", BOOKINGS)) == 1


@pytest.mark.parametrize("trouble", [Trouble(end="hang"), Trouble(end="reset"), Trouble(wait=TOO_LATE)])
def test_the_answer_to_a_cancellation_may_get_lost(
    hotelbeds: HotelbedsTransfers,
    stub: HotelbedsStub,
    quoted: TransferOffer,
    short_cancellations: None,
    trouble: Trouble,
) -> None:
    reference = hotelbeds.book(an_order(quoted)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    assert hotelbeds.find_cancellation(new_ref(), reference) is None
    simulate = hotelbeds.client.simulated_cancellation

    def then_trouble(reference: str) -> dict[str, Any]:
        answer = simulate(reference)
        stub.trouble("DELETE", BOOKING, trouble)
        return answer

    hotelbeds.client.simulated_cancellation = then_trouble  # type: ignore[method-assign]
    with pytest.raises(OutcomeUnknown):
        hotelbeds.cancel(new_ref(), reference, quote)
    stub.await_heard("DELETE", BOOKING, times=3)  # two of them simulated
    found = hotelbeds.find_cancellation(new_ref(), reference)
    assert found is not None
    assert found.penalty_cents == quote.penalty_cents


def test_an_order_is_looked_for_as_the_supplier_needs_it() -> None:
    assert VENDOR.lookups is not None
    assert (VENDOR.lookups.at, VENDOR.lookups.give_up_after) == ((30, 120, 600, 3_600), 7_200)


def test_a_cancelled_order_tells_its_charge_and_prices_of_nothing(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub
) -> None:
    offer = next(one for one in hotelbeds.search(a_search()) if one.vehicle.category == "comfort")
    reference = hotelbeds.book(an_order(offer)).supplier_reference
    quote = hotelbeds.quote_cancellation(reference)
    assert quote == Cancellation(944, 3776, "EUR")
    assert hotelbeds.cancel(new_ref(), reference, quote) == quote
    (transfer,) = stub.bookings[reference]["transfers"]
    assert (transfer["price"]["totalAmount"], stub.bookings[reference]["totalAmount"]) == (0.0, 9.44)
    assert hotelbeds.read_order(reference).cancellation == Cancellation(944, 0, "EUR")
