"""Return trips and extras at Hotelbeds: two services of one list, one order, one reference, and the terms of both."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.suppliers.errors import Expired, InvalidField, OutcomeUnknown, PriceChanged, Unavailable
from apps.suppliers.models import SupplierAlert
from apps.suppliers.results import Withheld
from apps.transfers.suppliers.base import ChosenExtra, OrderRequest, Place, TransferOffer
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from tests.support.supplier_stub import Trouble
from tests.transfers.agency import BALANCE_CENTS, BOTH_WAYS, FEE, an_offer, cancel, money, order, read
from tests.transfers.suppliers.hotelbeds.books import without
from tests.transfers.suppliers.hotelbeds.fleet import FLEET
from tests.transfers.suppliers.hotelbeds.stub import BOOKINGS, HotelbedsStub
from tests.transfers.suppliers.hotelbeds.stub import BOTH_WAYS as BOTH
from tests.transfers.suppliers.requests import HOTEL, OUTBOUND, PALMA, a_search, an_order, new_ref

pytestmark = pytest.mark.django_db

INBOUND = OUTBOUND + timedelta(days=7)
TRIP = a_search(inbound=INBOUND)
FLIGHTS = {"flightNumber": "TP1234", "inboundFlightNumber": "TP1235"}
CASES, SEAT = ChosenExtra("T06", 2), ChosenExtra("T12", 1)


def the_car(hotelbeds: HotelbedsTransfers, **search: Any) -> TransferOffer:
    """The standard one, both ways: 38.50 each."""
    (offer,) = hotelbeds.search(replace(TRIP, vehicle_class="economy", **search))
    return offer


def ordered(offer: TransferOffer, *extras: ChosenExtra, client_ref: str = "", **search: Any) -> OrderRequest:
    request = an_order(offer, client_ref or new_ref(), **{"inbound": INBOUND, **search})
    return replace(request, inbound_flight_number="TP1235", extras=extras, sent_at=clock.now())


def sent(stub: HotelbedsStub) -> list[dict[str, Any]]:
    (heard,) = stub.heard_by("POST", BOOKINGS)
    transfers: list[dict[str, Any]] = heard.json["transfers"]
    return transfers


# --- Search -----------------------------------------------------------------------------------------------------------
def test_one_call_finds_both_legs_and_pairs_them_by_where_they_start(hotelbeds, stub):
    found = hotelbeds.search(TRIP)
    assert len(stub.heard_by("GET", BOTH)) == len(stub.heard) == 1
    assert (len(found), found.withheld) == (len(FLEET), Withheld())
    car = the_car(hotelbeds)
    assert (car.total_cents, car.supplier_data["amount"]) == (7_700, "77.0")
    assert car.back is not None
    assert (car.pickup_at, car.back.pickup_at) == (OUTBOUND, INBOUND)
    assert (car.duration_minutes, car.back.vehicle) == (50, car.vehicle)
    assert [step.amount_cents for step in car.cancellation_policy] == [3_850, 7_700]
    assert car.policy_is_certain


def test_a_ride_without_a_way_back_is_counted(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    stub.no_way_back = (("MNV", "Minivan"), ("MBS", "Minibus"))
    found = hotelbeds.search(TRIP)
    assert (len(found), found.withheld) == (len(FLEET) - 2, Withheld(unsupported=2))
    assert "minivan" not in [offer.vehicle.category for offer in found]


def test_what_is_sold_only_with_an_extra_is_counted(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub
) -> None:
    stub.required_extra = True
    found = hotelbeds.search(a_search())
    assert (len(found), found.withheld) == (1, Withheld(unsupported=len(FLEET) - 1))


def test_where_nothing_is_sold_there_is_no_pair(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    stub.sold_out = True
    assert hotelbeds.search(TRIP) == []


def test_extras_are_offered_for_both_legs(hotelbeds: HotelbedsTransfers) -> None:
    assert [(one.code, one.unit_cents, one.directions) for one in the_car(hotelbeds).extras] == [
        ("T06", 1_320, ("outbound", "inbound")),
        ("T12", 1_800, ("outbound", "inbound")),
    ]
    shuttle = next(one for one in hotelbeds.search(TRIP) if one.vehicle.category == "shuttle")
    assert shuttle.extras == ()


# --- Order ------------------------------------------------------------------------------------------------------------
def test_one_order_has_both_legs_each_with_its_key_its_flight_and_its_extras(hotelbeds, stub):
    offer = the_car(hotelbeds)
    order = hotelbeds.book(ordered(offer, CASES, SEAT))
    outbound, inbound = sent(stub)
    extras = [{"units": "2", "code": "T06"}, {"units": "1", "code": "T12"}]
    assert outbound["extras"] == inbound["extras"] == extras
    assert outbound["rateKey"] != inbound["rateKey"]
    assert [detail["transferDetails"][0] for detail in (outbound, inbound)] == [
        {"type": "FLIGHT", "direction": "ARRIVAL", "code": "TP1234", "companyName": None},
        {"type": "FLIGHT", "direction": "DEPARTURE", "code": "TP1235", "companyName": None},
    ]
    assert order.total_cents == offer.total_cents + 2 * 1_320 + 1_800
    assert order.back_pickup is not None
    assert (order.pickup.at, order.back_pickup.at) == (OUTBOUND, INBOUND)
    assert [step.amount_cents for step in order.cancellation_policy] == [6_070, 12_140]
    assert order.policy_is_certain
    assert SupplierAlert.objects.count() == 0
    assert hotelbeds.read_order(order.supplier_reference) == order


def test_an_order_without_extras_sends_none(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    hotelbeds.book(ordered(the_car(hotelbeds)))
    assert [sorted(one) for one in sent(stub)] == [["rateKey", "transferDetails"]] * 2


@pytest.mark.parametrize(("surcharge", "alerts"), [("0", 0), ("-1", 0), ("0.01", 1)])
def test_ride_and_extras_are_compared_with_what_was_booked(hotelbeds, stub, surcharge, alerts):
    stub.surcharge = Decimal(surcharge)
    request = ordered(the_car(hotelbeds), SEAT)
    hotelbeds.book(request)
    found = hotelbeds.find_order(request.client_ref, request)
    assert found is not None
    assert found.total_cents == 9_500 + round(Decimal(surcharge) * 100)
    raised = SupplierAlert.objects.filter(kind="price_above_quote")
    assert (raised.count(), SupplierAlert.objects.count()) == (alerts, alerts)


def test_under_a_contract_with_commission_extras_are_paid_too(hotelbeds, stub):
    stub.net = True
    offer = the_car(hotelbeds)
    assert offer.total_cents == 6_930
    assert hotelbeds.book(ordered(offer, SEAT)).total_cents == 6_930 + 1_800


def test_a_dearer_trip_is_told_with_its_extras_and_a_part_that_is_gone_expires(hotelbeds, stub):
    offer = the_car(hotelbeds)
    stub.percent = 110
    with pytest.raises(PriceChanged) as raised:
        hotelbeds.book(ordered(offer, SEAT))
    assert raised.value.current_cents == 2 * 4_235 + 1_800
    with pytest.raises(Expired):
        hotelbeds.book(ordered(offer, ChosenExtra("T99", 1)))
    stub.percent = 100
    stub.no_way_back = (("CR", "Car"),)
    with pytest.raises(Expired):
        hotelbeds.reprice(TRIP, offer)
    assert stub.bookings == {}


def test_each_leg_needs_its_flight(hotelbeds: HotelbedsTransfers) -> None:
    request = replace(ordered(the_car(hotelbeds)), inbound_flight_number=None)
    with pytest.raises(InvalidField) as raised:
        hotelbeds.refuse_lacking(request)
    assert (raised.value.field, raised.value.message) == (
        "inboundFlightNumber",
        "must name the flight at `from`",
    )


@pytest.mark.parametrize(("ends", "number"), [
    ((Place("PORT", "BCP"), HOTEL), "GRANDIOSA, MSC Cruises"),
    ((HOTEL, Place("PORT", "BCP")), "ICON OF THE SEAS"),
    ((Place("STATION", "PMS"), HOTEL), "AVE 3082"),
    ((HOTEL, PALMA), "TP1234"),
])  # fmt: skip
def test_ships_trains_and_flights_are_taken_either_way(hotelbeds, ends, number):
    start, end = ends
    asked = a_search(start=start, end=end)
    request = replace(an_order(hotelbeds.search(asked)[0], start=start, end=end), flight_number=number)
    assert hotelbeds.book(request).total_cents > 0


# --- All or nothing ---------------------------------------------------------------------------------------------------
def test_an_order_of_one_leg_where_two_were_asked_for_is_no_answer_and_staff_are_told(hotelbeds, stub):
    stub.keeps_legs = 1
    request = ordered(the_car(hotelbeds))
    with pytest.raises(OutcomeUnknown):
        hotelbeds.book(request)
    with pytest.raises(Unavailable):
        hotelbeds.find_order(request.client_ref, request)
    alert = SupplierAlert.objects.get()
    assert (alert.kind, alert.detail) == ("unknown_answer", "102-7654321: 1 rides instead of 2")


def test_a_ride_that_they_cancel_alone_is_told_to_staff(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub
) -> None:
    order = hotelbeds.book(ordered(the_car(hotelbeds)))
    stub.bookings[order.supplier_reference]["transfers"][1]["status"] = "CANCELLED"
    assert hotelbeds.read_order(order.supplier_reference).cancellation is None
    assert SupplierAlert.objects.get().kind == "unknown_answer"


def test_the_legs_are_told_apart_by_their_times(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    request = ordered(the_car(hotelbeds))
    order = hotelbeds.book(request)
    stub.bookings[order.supplier_reference]["transfers"].reverse()
    assert hotelbeds.find_order(request.client_ref, request) == order


# --- Lost answers -----------------------------------------------------------------------------------------------------
def test_a_lost_order_is_known_by_both_of_its_legs(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub
) -> None:
    """Neither reference nor rate key comes back, and there are orders of one leg, and of another way back."""
    trips = [TRIP, replace(TRIP, inbound=INBOUND + timedelta(days=3)), a_search()]
    requests = []
    for trip in trips:
        offer = hotelbeds.reprice(trip, hotelbeds.search(trip)[1])
        requests.append(ordered(offer, inbound=trip.inbound))
        hotelbeds.book(requests[-1])
    references = list(stub.bookings)
    stub.list_names_reference = stub.detail_names_reference = False
    assert [found(hotelbeds, request) for request in requests] == references  # by their keys
    for booking in stub.bookings.values():
        booking["transfers"] = [without(transfer, "rateKey") for transfer in booking["transfers"]]
    assert [found(hotelbeds, request) for request in requests] == references


def found(hotelbeds: HotelbedsTransfers, request: OrderRequest) -> str | None:
    order = hotelbeds.find_order(request.client_ref, request)
    return order.supplier_reference if order else None


def test_a_lost_order_of_a_trip_is_booked_once_and_charged_once(api, partner, stub, later):
    offer = an_offer(api, FEE, inbound=BOTH_WAYS["inbound"])
    extra = offer["extras"][0]
    total = offer["totalCents"] + 2 * extra["totalCents"]
    stub.trouble("POST", BOOKINGS, Trouble(end="reset"))
    asked = {"extras": [{"code": extra["code"], "quantity": 2}], **FLIGHTS}
    assert order(api, offer["quoteId"], **asked).status == 503
    assert money(partner, "live") == (BALANCE_CENTS - total, total)
    later(31)
    recover_due()
    booking = Booking.objects.get()
    assert (booking.status, booking.total_cents, len(stub.bookings)) == ("confirmed", total, 1)
    body = read(api, booking.id)
    assert [leg["flightNumber"] for leg in body["legs"]] == ["TP1234", "TP1235"]
    assert [leg["operator"]["name"] for leg in body["legs"]] == ["Stub Cars SL"] * 2
    ended = cancel(api, booking.id).body["cancellation"]
    assert (ended["penaltyCents"], ended["refundCents"]) == (1_888, total - 1_888)
    settle_owed()
    assert money(partner, "live") == (BALANCE_CENTS - 1_888, 0)
    assert check_ledger() == []


@pytest.mark.django_db(transaction=True)  # the alert is written by the thread of the call
def test_half_a_trip_is_with_staff_in_the_end_and_its_funds_stay_held(api, partner, stub, later):
    stub.keeps_legs = 1
    offer = an_offer(api, FEE, inbound=BOTH_WAYS["inbound"])
    assert order(api, offer["quoteId"], **FLIGHTS).status == 503
    for seconds in (31, 90, 480, 3_000, *[3_601] * 25):
        later(seconds)
        recover_due()
    assert Operation.objects.get().state == OperationState.REVIEW
    assert (Booking.objects.get().status, len(stub.heard_by("POST", BOOKINGS))) == ("pending", 1)
    assert money(partner, "live") == (BALANCE_CENTS - offer["totalCents"], offer["totalCents"])
    assert SupplierAlert.objects.filter(kind="unknown_answer").count() == 1


def test_a_part_of_a_price_with_extras_has_no_steps_and_costs_at_worst_what_is_shown(api, stub):
    """What becomes of extras where a fifth of the ride is lost is not documented."""
    offer = an_offer(api, FEE)
    extra = offer["extras"][0]["totalCents"]
    body = order(api, offer["quoteId"], extras=[{"code": "T06"}], flightNumber="TP1234").body
    assert body["cancellationSteps"] is None
    assert [step["amountCents"] for step in body["cancellationPolicy"]] == [944 + extra, 4_720 + extra]


def test_what_the_way_back_lacks_is_refused_before_anything_is_held(api, partner):
    offer = an_offer(api, FEE, inbound=BOTH_WAYS["inbound"])
    reply = order(api, offer["quoteId"], flightNumber="TP1234")
    assert (reply.status, reply.error["details"][0]["field"]) == (400, "inboundFlightNumber")
    assert money(partner, "live") == (BALANCE_CENTS, 0)


def test_a_cruise_with_a_long_name_is_ordered(api: Any, stub: HotelbedsStub) -> None:
    ends = {"from": {"type": "PORT", "code": "BCP", "town": "Barcelona", "country": "ES"}}
    reply = order(api, an_offer(api, FEE, **ends)["quoteId"], flightNumber="GRANDIOSA, MSC Cruises")
    assert reply.status == 201
    (detail,) = sent(stub)[0]["transferDetails"]
    assert (detail["type"], detail["code"], detail["companyName"]) == ("CRUISE", "GRANDIOSA", "MSC Cruises")
