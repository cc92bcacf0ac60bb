"""Bags and seats at Duffel: what is read of their lists, the ids that are sent, and what each refusal means."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.flights.suppliers.base import (
    AddServices,
    ChosenService,
    FlightOffer,
    FlightService,
    Passenger,
    Passengers,
    SeatElement,
    SeatMap,
)
from apps.flights.suppliers.duffel import services
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import (
    Expired,
    NotPossible,
    OutcomeUnknown,
    Rejected,
    ServiceGone,
    Unavailable,
)
from tests.flights.desk import ADA, BALANCE_CENTS, Desk, faults, funds, refusal
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import an_order_by, flexible
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.support.supplier_stub import Trouble

PARTY = Passengers(adults=2, children=1, infants=1)
ALONE = (Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult", "ms"),)
GONE = (409, "service_unavailable")
CHANGED = (409, "price_changed")


def elements(maps: list[SeatMap]) -> list[SeatElement]:
    return [
        element
        for one in maps
        for cabin in one.cabins
        for row in cabin.rows
        for section in row
        for element in section
    ]


def chosen(*found: FlightService, quantity: int = 1) -> tuple[ChosenService, ...]:
    return tuple(ChosenService(f"service_{at}", one, quantity, one.passenger) for at, one in enumerate(found))


def refuse(stub: DuffelStub, path: str, code: str, **more: Any) -> None:
    status, body = refusal_of(code, **more)
    stub.trouble("POST", path, Trouble(accept=False, status=status, body=body))


# --- What is listed ---------------------------------------------------------------------------------------------------
def test_bags_of_one_passenger_are_sold_and_all_else_is_ignored(duffel: DuffelFlights) -> None:
    offer = flexible(duffel, passengers=PARTY, return_date=date(2027, 2, 10))
    found = duffel.services(offer)
    assert {one.passenger for one in found} == {0, 1, 2}  # the infant has no place of its own
    assert [
        (one.kind, one.weight_kg, one.total_cents, one.max_quantity) for one in found if not one.passenger
    ] == [
        ("checked_bag", 15, 2219, 3),
        ("checked_bag", 23, 3000, 3),
        ("carry_on_bag", None, 1250, 1),
    ]
    assert {one.segments for one in found} == {
        tuple((leg, at) for leg in range(2) for at in range(len(offer.slices[leg].segments)))
    }


def test_a_map_has_what_can_be_sold_and_draws_the_unknown_as_empty(duffel: DuffelFlights) -> None:
    offer = flexible(duffel, passengers=PARTY, return_date=date(2027, 2, 10))
    maps = duffel.seat_maps(offer)
    assert [one.segment for one in maps] == [
        (leg, at) for leg, part in enumerate(offer.slices) for at in range(len(part.segments))
    ]
    found = elements(maps[:1])
    assert {one.type for one in found} == {"galley", "lavatory", "exit_row", "seat", "empty"}
    by_seat = {one.designator: one for one in found if one.type == "seat"}
    assert [name for name, one in by_seat.items() if not one.services] == ["1C", "2C"]
    assert [service.passenger for service in by_seat["1A"].services] == [0, 1, 2]
    assert [by_seat[name].services[0].total_cents for name in ("1A", "2A")] == [2000, 0]
    assert by_seat["1A"].disclosures == ("Passenger must be an adult",)
    assert {len(row) for one in maps for cabin in one.cabins for row in cabin.rows} == {2}


def test_an_airline_without_maps_has_none(stub: DuffelStub, duffel: DuffelFlights) -> None:
    stub.seat_maps_shown = False
    assert duffel.seat_maps(flexible(duffel)) == []


def test_what_is_listed_of_an_offer_that_is_gone(stub: DuffelStub, duffel: DuffelFlights) -> None:
    offer = flexible(duffel)
    stub.sold_out = True
    for read in (duffel.services, duffel.seat_maps):
        with pytest.raises(Expired):
            read(offer)


ODD: list[dict[str, Any]] = [
    {"id": None},
    {"total_amount": None},
    {"total_amount": "-1.00"},
    {"total_currency": "USD"},
    {"passenger_ids": []},
    {"passenger_ids": ["pas_1", "pas_2"]},
    {"passenger_ids": ["pas_9"]},
    {"segment_ids": ["seg_9"]},
    {"type": "lounge"},
    {"type": "seat", "metadata": {}},
    {"metadata": {"type": "pet"}},
    {"metadata": None},
]


@pytest.mark.parametrize("change", ODD, ids=str)
def test_a_service_that_cannot_be_read_or_sold_is_left_out(change: dict[str, Any]) -> None:
    bag = {
        "id": "ase_1",
        "type": "baggage",
        "total_amount": "10.0",
        "total_currency": "EUR",
        "maximum_quantity": 2,
        "passenger_ids": ["pas_1"],
        "segment_ids": ["seg_1"],
        "metadata": {"type": "checked", "maximum_weight_kg": 20},
    }
    found = list(services.sold([{**bag, **change}, bag], {"pas_1": 0, "pas_2": 1}, {"seg_1": (0, 0)}, "EUR"))
    assert [(one.supplier_data["id"], one.total_cents) for one in found] == [("ase_1", 1000)]


# --- Orders -------------------------------------------------------------------------------------------------------------
def listed(seller: Desk, offer: dict[str, Any]) -> list[dict[str, Any]]:
    return list(seller.api.get(f"/v1/flights/offers/{offer['offerId']}/services").body["services"])


def seat(seller: Desk, offer: dict[str, Any], designator: str = "1A") -> dict[str, Any]:
    maps = seller.api.get(f"/v1/flights/offers/{offer['offerId']}/seat-maps").body["seatMaps"]
    rows = (row for one in maps for cabin in one["cabins"] for row in cabin["rows"])
    found = (element for row in rows for section in row["sections"] for element in section["elements"])
    return dict(next(one["services"][0] for one in found if one["designator"] == designator))


def wanted(*found: dict[str, Any], quantity: int = 1) -> list[dict[str, Any]]:
    return [{"serviceId": one["serviceId"], "quantity": quantity} for one in found]


def test_an_order_is_sent_with_the_ids_of_the_latest_read(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    offer = seller.flexible(passengers={"adults": 1}, returnDate=70)
    bag, place = listed(seller, offer)[0], seat(seller, offer)
    listed(seller, offer)  # from now on the ids of before are unknown there
    reply = seller.order(offer, services=[*wanted(bag, quantity=2), *wanted(place)])
    total = offer["totalCents"] + 2 * bag["totalCents"] + place["totalCents"]
    assert (reply.status, reply.body["totalCents"]) == (201, total)
    assert funds(partner, "live") == (BALANCE_CENTS - total, 0)
    (sent,) = [heard.json["data"] for heard in at_duffel.heard_by("POST", paths.ORDERS)]
    assert Decimal(sent["payments"][0]["amount"]) * 100 == total
    assert [one["quantity"] for one in sent["services"]] == [2, 1]
    (order,) = at_duffel.orders.values()
    assert [(one["type"], one["quantity"]) for one in order["services"]] == [("baggage", 2), ("seat", 1)]
    assert [(one["kind"], one["passenger"], one["quantity"]) for one in reply.body["services"]] == [
        ("checked_bag", 0, 2),
        ("seat", 0, 1),
    ]
    assert reply.body["services"][0]["sliceIds"] == [leg["sliceId"] for leg in offer["slices"]]
    assert seller.read(reply.body["id"]) == reply.body


def test_maps_are_read_again_for_a_seat_alone(seller: Desk, at_duffel: DuffelStub) -> None:
    offer = seller.flexible()
    seller.order(offer, services=wanted(listed(seller, offer)[0]))
    assert at_duffel.heard_by("GET", paths.SEAT_MAPS) == []


def test_an_order_without_services_reads_no_lists(seller: Desk, at_duffel: DuffelStub) -> None:
    seller.ordered()
    reads = [heard.query for heard in at_duffel.heard if heard.path.startswith("/air/offers/")]
    assert reads == [{}]
    (sent,) = [heard.json["data"] for heard in at_duffel.heard_by("POST", paths.ORDERS)]
    assert "services" not in sent


@pytest.mark.parametrize(
    ("code", "more", "answer"),
    [
        ("ancillary_service_not_available", {}, GONE),
        ("not_found", {"status": 422, "type": "validation_error"}, GONE),
        ("price_changed", {}, CHANGED),
        ("payment_amount_does_not_match_order_amount", {}, CHANGED),
        ("unsupported_action", {}, (502, "upstream_error")),
        ("offer_no_longer_available", {}, (410, "offer_expired")),
    ],
)
def test_a_refused_order_books_and_holds_nothing(
    seller: Desk,
    at_duffel: DuffelStub,
    partner: Onboarded,
    code: str,
    more: dict[str, Any],
    answer: tuple[int, str],
) -> None:
    offer = seller.flexible()
    bag = listed(seller, offer)[0]
    refuse(at_duffel, paths.ORDERS, code, **more)
    reply = seller.order(offer, services=wanted(bag))
    assert (refusal(reply), funds(partner, "live")) == (answer, (BALANCE_CENTS, 0))
    assert (at_duffel.orders, Booking.objects.get().status) == ({}, "failed")
    if answer == GONE:
        assert reply.error["serviceId"] == bag["serviceId"]
    if answer == CHANGED:
        assert reply.error["currentTotalCents"] == offer["totalCents"] + bag["totalCents"]


@pytest.mark.parametrize("unlisted", [True, False])
def test_of_several_the_one_that_is_gone_is_named_where_a_second_read_tells(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded, unlisted: bool
) -> None:
    offer = seller.flexible()
    bag, place = listed(seller, offer)[0], seat(seller, offer)
    at_duffel.gone = {"1A"}
    at_duffel.unlisted = {"1A"} if unlisted else set()
    reply = seller.order(offer, services=wanted(bag, place))
    assert (refusal(reply), funds(partner, "live")) == (GONE, (BALANCE_CENTS, 0))
    assert reply.error["serviceId"] == (place["serviceId"] if unlisted else None)


def test_prices_of_both_are_compared_before_the_order_is_sent(seller: Desk, at_duffel: DuffelStub) -> None:
    offer = seller.flexible()
    bag = listed(seller, offer)[1]
    at_duffel.percent = 110
    reply = seller.order(offer, services=wanted(bag))
    assert (refusal(reply), at_duffel.heard_by("POST", paths.ORDERS)) == (CHANGED, [])
    now = reply.error["currentTotalCents"]
    order = seller.order(offer, services=wanted(bag), maxTotalCents=now).body
    assert (order["totalCents"], order["services"][0]["totalCents"]) == (now, 3300)


def test_a_change_shows_what_the_airline_still_has(seller: Desk) -> None:
    offer = seller.flexible()
    bag, place = listed(seller, offer)[0], seat(seller, offer)
    order = seller.order(offer, services=wanted(bag, place)).body
    changed = seller.changed(order, seller.options_of(order)[-1])
    assert [(one["kind"], one["totalCents"]) for one in changed["services"]] == [
        ("checked_bag", bag["totalCents"])
    ]
    assert changed["services"][0]["segmentIds"] == [
        one["segmentId"] for one in changed["slices"][0]["segments"]
    ]
    assert [one["designator"] for one in changed["servicesLost"]] == ["1A"]


def test_a_cancellation_returns_what_the_airline_returns_of_services_too(
    seller: Desk, partner: Onboarded
) -> None:
    offer = seller.flexible()
    order = seller.order(offer, services=wanted(listed(seller, offer)[1])).body
    cancelled = seller.cancel(order["id"]).body["cancellation"]
    assert cancelled["penaltyCents"] == 4000
    assert cancelled["refundCents"] == order["totalCents"] - 4000


# --- Afterwards ---------------------------------------------------------------------------------------------------------
def addable(seller: Desk, order: dict[str, Any]) -> list[dict[str, Any]]:
    reply = seller.api.get(f"/v1/flights/orders/{order['id']}/services")
    assert reply.status == 200, reply.body
    return list(reply.body["services"])


def add(seller: Desk, order: dict[str, Any], *bags: dict[str, Any], **more: Any) -> Any:
    return seller.api.post(f"/v1/flights/orders/{order['id']}/services", {"services": wanted(*bags), **more})


def test_bags_are_added_to_an_order_that_has_none(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    offer = seller.flexible(passengers={"adults": 2})
    byron = {**ADA, "title": "mr", "firstName": "Byron", "lastName": "King"}
    order = seller.order(offer, passengers=[byron, ADA], services=wanted(seat(seller, offer, "2A"))).body
    bags = addable(seller, order)
    assert {(one["kind"], one["passenger"]) for one in bags} == {
        (kind, passenger) for kind in ("checked_bag", "carry_on_bag") for passenger in (0, 1)
    }
    bag = next(one for one in bags if (one["passenger"], one["weightKg"]) == (1, 23))
    reply = add(seller, order, bag)
    assert (reply.status, reply.body["totalCents"]) == (200, order["totalCents"] + 3000)
    assert [(one["kind"], one["passenger"]) for one in reply.body["services"]] == [
        ("seat", 0),
        ("checked_bag", 1),
    ]
    assert funds(partner, "live") == (BALANCE_CENTS - reply.body["totalCents"], 0)
    (sent,) = [
        heard.json["data"] for heard in at_duffel.heard if heard.path.endswith("/services") and heard.body
    ]
    assert sent["payment"] == {"type": "balance", "amount": "30.00", "currency": "EUR"}
    (stands,) = at_duffel.orders.values()
    ada = next(one["id"] for one in stands["passengers"] if one["given_name"] == "Ada")
    assert stands["services"][-1]["passenger_ids"] == [ada]
    assert addable(seller, order) == []


@pytest.mark.parametrize(
    ("code", "more", "answer"),
    [
        ("ancillary_service_not_available", {}, GONE),
        ("not_found", {"status": 422, "type": "validation_error"}, GONE),
        ("price_changed", {}, CHANGED),
        ("payment_amount_does_not_match_order_amount", {}, CHANGED),
        ("unsupported_action", {}, (409, "conflict")),
        ("order_not_changeable", {}, (409, "conflict")),
        ("already_cancelled", {}, (409, "conflict")),
        ("not_found", {}, (404, "not_found")),
        ("validation_required", {}, (502, "upstream_error")),
        ("rate_limit_exceeded", {}, (503, "upstream_unavailable")),
    ],
)
def test_a_refused_addition_costs_nothing(
    seller: Desk,
    at_duffel: DuffelStub,
    partner: Onboarded,
    code: str,
    more: dict[str, Any],
    answer: tuple[int, str],
) -> None:
    order = seller.ordered()
    bag, before = addable(seller, order)[0], funds(partner, "live")
    refuse(at_duffel, paths.ORDER_SERVICES_ADDED, code, **more)
    reply = add(seller, order, bag)
    assert (refusal(reply), funds(partner, "live")) == (answer, before)
    assert seller.read(order["id"])["services"] == []


@pytest.mark.parametrize(
    "code", ["airline_unknown", "modified_externally", "an_unheard_of_state", "service_unavailable"]
)
def test_what_may_have_been_bought_stays_held(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded, code: str
) -> None:
    order = seller.ordered()
    bag, before = addable(seller, order)[0], funds(partner, "live")
    refuse(at_duffel, paths.ORDER_SERVICES_ADDED, code)
    assert refusal(add(seller, order, bag)) == (503, "upstream_unavailable")
    assert funds(partner, "live") == (before[0] - bag["totalCents"], bag["totalCents"])


def test_a_price_that_has_risen_since_the_list(seller: Desk, at_duffel: DuffelStub) -> None:
    order = seller.ordered()
    bag = next(one for one in addable(seller, order) if one["weightKg"] == 23)
    at_duffel.percent = 110
    reply = add(seller, order, bag)
    assert (refusal(reply), reply.error["currentTotalCents"]) == (CHANGED, 3300)
    assert add(seller, order, bag, maxTotalCents=3300).body["totalCents"] == order["totalCents"] + 3300


def test_an_order_that_takes_nothing(seller: Desk, at_duffel: DuffelStub) -> None:
    order = seller.ordered()
    bag = addable(seller, order)[0]
    at_duffel.cancel_by_airline(next(iter(at_duffel.orders)))
    assert refusal(seller.api.get(f"/v1/flights/orders/{order['id']}/services")) == (409, "conflict")
    assert refusal(add(seller, order, bag)) == (409, "conflict")
    assert faults(add(seller, seller.ordered(), bag)) == ["services.0.serviceId"]


def added(duffel: DuffelFlights, offer: FlightOffer) -> tuple[AddServices, Any]:
    """A request for two kinds of bag, prepared, and the order."""
    order = duffel.book(an_order_by(offer))
    asked = AddServices(order.supplier_reference, ALONE, order.slices, client_ref="F-1-S")
    bags = duffel.order_services(asked)
    now, before = duffel.prepare_services(replace(asked, services=chosen(bags[0], bags[2])))
    return replace(asked, services=now, before=before), order


def test_a_look_up_compares_what_the_order_has(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request, _ = added(duffel, flexible(duffel))
    assert duffel.find_services(request) is None
    after = duffel.add_services(request)
    assert len(after.services) == 2
    assert duffel.find_services(request) == after
    names = tuple(one.supplier_id for one in after.services)
    assert duffel.find_services(replace(request, before=names)) is None
    (order,) = stub.orders.values()
    order["services"] = order["services"][:1]
    with pytest.raises(Unavailable):  # a part of them: staff decide
        duffel.find_services(request)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("services_not_allowed_for_order_type", Rejected),
        ("payment_currency_does_not_match_order_currency", Rejected),
        ("insufficient_balance", Unavailable),
    ],
)
def test_what_only_staff_can_help_with(
    stub: DuffelStub, duffel: DuffelFlights, code: str, error: type[Exception]
) -> None:
    request, _ = added(duffel, flexible(duffel))
    refuse(stub, paths.ORDER_SERVICES_ADDED, code)
    with pytest.raises(error):
        duffel.add_services(request)
    refuse(stub, paths.ORDERS, code)
    offer = flexible(duffel)
    with pytest.raises(error):
        duffel.book(replace(an_order_by(offer), services=chosen(*duffel.services(offer)[:1])))
    assert len(stub.orders) == 1


def test_a_lost_answer_to_an_addition_is_unknown(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request, _ = added(duffel, flexible(duffel))
    stub.trouble("POST", paths.ORDER_SERVICES_ADDED, Trouble(end="reset"))
    with pytest.raises(OutcomeUnknown):
        duffel.add_services(request)
    assert len(next(iter(stub.orders.values()))["services"]) == 2


def test_an_airline_that_adds_nothing_by_call_says_so_when_it_is_asked(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    request, _ = added(duffel, flexible(duffel))
    status, body = refusal_of("unsupported_action")
    stub.trouble("GET", paths.ORDER_SERVICES, Trouble(accept=False, status=status, body=body))
    with pytest.raises(NotPossible):
        duffel.order_services(request)


def test_a_bag_that_is_listed_no_more_is_gone(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request, _ = added(duffel, flexible(duffel))
    stub.unlisted = {"15"}
    with pytest.raises(ServiceGone) as gone:
        duffel.prepare_services(request)
    assert gone.value.name == "service_0"


def test_odd_services_of_an_order_leave_it_as_it_is(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request, order = added(duffel, flexible(duffel))
    duffel.add_services(request)
    (kept,) = stub.orders.values()
    good = kept["services"][0]
    for odd in (
        [{**good, "quantity": 0}],
        [{**good, "segment_ids": ["seg_gone"]}],
        [{**good, "type": "lounge"}],
        [{"id": "ser_x"}],
        None,
        "none",
    ):
        kept["services"] = odd
        assert duffel.read_order(order.supplier_reference).services == ()
