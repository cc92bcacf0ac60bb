"""Bad input is a 400 that names the field; sandbox triggers; listing."""

from itertools import pairwise
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.flights.models import FlightChangeSearch, FlightSearch
from apps.flights.views import stored_search
from apps.onboarding.partners import Onboarded
from tests.flights.desk import (
    ADA,
    BALANCE_CENTS,
    Desk,
    dated,
    faults,
    funds,
    in_days,
    lines,
    options_body,
    refusal,
    search_body,
    slices_body,
    told,
)
from tests.support.api import Reply
from tests.support.flight_shop import CONTACT
from tests.support.scripted_flights import ScriptedFlights

WINDOW = "slices.0.departBetween"


def a_slice(origin: str, destination: str, day: int, **window: str) -> dict[str, Any]:
    """`day` is so many days ahead, `frm` and `to` the ends of its window."""
    between = {{"frm": "from"}.get(end, end): at for end, at in window.items()}
    body = {"origin": origin, "destination": destination, "departureDate": day}
    return {**body, "departBetween": between} if between else body


SEARCHES: list[tuple[dict[str, Any], list[str]]] = [
    ({"origin": ..., "destination": ..., "departureDate": ...}, ["origin", "destination", "departureDate"]),
    ({"origin": "XXX"}, ["origin"]),
    ({"origin": "\u0130ST"}, ["origin"]),
    ({"destination": "LIS"}, ["destination"]),
    ({"origin": "LHR", "destination": "LON"}, ["destination"]),
    ({"origin": "LHR", "destination": "QQQ", "departureDate": ...}, ["destination", "departureDate"]),
    ({"departureDate": -2}, ["departureDate"]),
    ({"departureDate": 362}, ["departureDate"]),
    ({"departureDate": "2027-02-30"}, ["departureDate"]),
    ({"returnDate": 59}, ["returnDate"]),
    ({"returnDate": 362}, ["returnDate"]),
    ({"passengers": {"adults": 0}}, ["passengers.adults"]),
    ({"passengers": {"adults": 10}}, ["passengers.adults"]),
    ({"passengers": {"adults": 0, "children": 2}}, ["passengers.adults"]),
    ({"passengers": {"adults": 5, "children": 5}}, ["passengers"]),
    ({"passengers": {"adults": 1, "infants": 2}}, ["passengers.infants"]),
    ({"passengers": {"youths": 1}}, ["passengers.youths"]),
    ({"passengers": {"childrenAges": [7]}}, ["passengers.childrenAges"]),
    ({"passengers": {"children": 2, "childrenAges": [7]}}, ["passengers.childrenAges"]),
    ({"passengers": {"children": 1, "childrenAges": []}}, ["passengers.childrenAges"]),
    ({"passengers": {"children": 1, "childrenAges": [1]}}, ["passengers.childrenAges.0"]),
    ({"passengers": {"children": 2, "childrenAges": [11, 12]}}, ["passengers.childrenAges.1"]),
    ({"passengers": {"children": 1, "childrenAges": [7] * 10}}, ["passengers.childrenAges"]),
    ({"cabin": "Economy"}, ["cabin"]),
    ({"maxConnections": 4}, ["maxConnections"]),
    ({"limit": 0}, ["limit"]),
    ({"from": "LIS"}, ["from"]),
    ({"origin": "XXX", "limit": 0, "passengers": {"adults": 0}}, ["origin", "passengers.adults", "limit"]),
]

SLICES: list[tuple[dict[str, Any], list[str]]] = [
    ({"slices": []}, ["slices"]),
    ({"slices": "LIS-BER"}, ["slices"]),
    ({"slices": [a_slice("LIS", "BER", day) for day in range(60, 67)]}, ["slices"]),
    ({"slices": [{}]}, [f"slices.0.{name}" for name in ("origin", "destination", "departureDate")]),
    ({"slices": [a_slice("LIS", "QQQ", 60)]}, ["slices.0.destination"]),
    ({"slices": [a_slice("LIS", "LIS", 60)]}, ["slices.0.destination"]),
    ({"slices": [a_slice("LON", "LHR", 60)]}, ["slices.0.destination"]),
    ({"slices": [a_slice("LIS", "BER", 362)]}, ["slices.0.departureDate"]),
    ({"slices": [{**a_slice("LIS", "BER", 60), "cabin": "first"}]}, ["slices.0.cabin"]),
    ({"slices": [a_slice("LIS", "BER", 60), a_slice("BER", "LIS", 59)]}, ["slices.1.departureDate"]),
    ({"slices": [a_slice("LHR", "JFK", 60), a_slice("JFK", "LHR", 59)]}, ["slices.1.departureDate"]),
    (
        {"slices": [a_slice("LIS", "BER", 60, frm="20:00"), a_slice("BER", "LIS", 60, to="21:00")]},
        ["slices.1.departureDate"],
    ),
    ({"slices": [a_slice("LHR", "CDG", 60), a_slice("LHR", "CDG", 61)]}, ["slices.1.origin"]),
    ({"slices": [a_slice("LIS", "BER", 60), a_slice("JFK", "LAX", 61)]}, ["slices.1.origin"]),
    (
        {"slices": [a_slice("LIS", "BER", 60), a_slice("BER", "LIS", 65), a_slice("JFK", "LAX", 61)]},
        ["slices.2.origin", "slices.2.departureDate"],
    ),
    ({"slices": [{**a_slice("LIS", "BER", 60), "departBetween": {"from": "7:00"}}]}, [f"{WINDOW}.from"]),
    ({"slices": [{**a_slice("LIS", "BER", 60), "departBetween": {"from": "07:60"}}]}, [f"{WINDOW}.from"]),
    ({"slices": [{**a_slice("LIS", "BER", 60), "departBetween": {"to": "24:00"}}]}, [f"{WINDOW}.to"]),
    ({"slices": [{**a_slice("LIS", "BER", 60), "departBetween": {"to": 9}}]}, [f"{WINDOW}.to"]),
    ({"slices": [a_slice("LIS", "BER", 60, frm="12:00", to="11:59")]}, [f"{WINDOW}.to"]),
    ({"slices": [a_slice("LIS", "BER", 60)], "origin": "LIS"}, ["origin"]),
    ({"slices": [a_slice("LIS", "BER", 60)], "origin": "LIS", "returnDate": 70}, ["origin", "returnDate"]),
    ({"slices": [a_slice("LIS", "BER", 60)], "airlines": {}}, ["airlines"]),
    ({"slices": [a_slice("LIS", "BER", 60)], "airlines": {"include": []}}, ["airlines.include"]),
    ({"slices": [a_slice("LIS", "BER", 60)], "airlines": {"include": ["tp"]}}, ["airlines.include.0"]),
    ({"slices": [a_slice("LIS", "BER", 60)], "airlines": {"exclude": ["TP", "99"]}}, ["airlines.exclude.1"]),
    (
        {"slices": [a_slice("LIS", "BER", 60)], "airlines": {"include": ["TP"], "exclude": ["LH"]}},
        ["airlines"],
    ),
    ({"slices": [a_slice("LIS", "BER", 60)], "sort": "fastest"}, ["sort"]),
    *(
        ({"slices": [a_slice("LIS", "BER", 60)], "privateFares": fares}, [f"privateFares{at}"])
        for fares, at in [
            ([], ""),
            ([{"airline": "TP"}], ".0"),
            ([{"airline": "TAP", "tourCode": "A"}], ".0.airline"),
            ([{"tourCode": "A"}], ".0.airline"),
            ([{"airline": "TP", "corporateCode": ""}], ".0.corporateCode"),
            ([{"airline": "TP", "tourCode": "A" * 65}], ".0.tourCode"),
            ([{"airline": "TP", "trackingReference": "A", "tourCode": "A"}], ".0.trackingReference"),
            ([{"airline": "TP", "tourCode": "A"}, {"airline": "TP", "tourCode": "B"}], ".1.airline"),
        ]
    ),
]

GOOD_SLICES: list[list[dict[str, Any]]] = [
    [a_slice("LIS", "BER", 60)],
    [a_slice("LON", "NYC", 60)],
    [a_slice("LGW", "LHR", 60)],  # nobody flies it, and it is no mistake
    [a_slice("LIS", "BER", 60), a_slice("BER", "LIS", 60)],
    [
        a_slice("LIS", "BCN", 60),
        a_slice("MAD", "LIS", 65),
    ],  # open jaws: by train, by car, and across one country
    [a_slice("LHR", "BKK", 60), a_slice("SIN", "LHR", 75)],
    [a_slice("LHR", "JFK", 60), a_slice("LAX", "LHR", 75)],
    [a_slice("AKL", "HNL", 60), a_slice("HNL", "SFO", 59)],  # across the date line one arrives the day before
    [
        a_slice(origin, destination, 60 + 2 * n)
        for n, (origin, destination) in enumerate(pairwise(["LIS", "BER", "VIE", "FCO", "ATH", "MAD", "LIS"]))
    ],
]

GOOD_SEARCHES: list[dict[str, Any]] = [
    {"departureDate": -1},
    {"departureDate": 0},
    {"departureDate": 361},
    {"returnDate": 60},
    {"returnDate": 361},
    {"passengers": {}},
    {"passengers": {"adults": 9, "infants": 9}},
    {"passengers": {"adults": 1, "children": 8, "infants": 1}},
    {"cabin": "first", "maxConnections": 0, "limit": 1},
    {"maxConnections": 3, "limit": 100},
]

ORDERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"offerId": ..., "passengers": ..., "contact": ...}, ["offerId", "passengers", "contact"]),
    ({"offerId": "o" * 256}, ["offerId"]),
    ({"passengers": []}, ["passengers"]),
    ({"passengers": [ADA] * 19}, ["passengers"]),
    (
        {"passengers": [{}]},
        [f"passengers.0.{name}" for name in ("firstName", "lastName", "dateOfBirth", "type")],
    ),
    ({"passengers": [{**ADA, "firstName": "  "}]}, ["passengers.0.firstName"]),
    ({"passengers": [{**ADA, "lastName": "L" * 256}]}, ["passengers.0.lastName"]),
    ({"passengers": [{**ADA, "dateOfBirth": "1899-12-31"}]}, ["passengers.0.dateOfBirth"]),
    ({"passengers": [{**ADA, "type": "senior"}]}, ["passengers.0.type"]),
    ({"passengers": [{**ADA, "title": "Ms"}]}, ["passengers.0.title"]),
    ({"passengers": [{**ADA, "age": 36}]}, ["passengers.0.age"]),
    ({"passengers": [ADA, {**ADA, "type": "infants"}]}, ["passengers.1.type"]),
    ({"contact": {}}, ["contact.email", "contact.phone"]),
    ({"contact": {**CONTACT, "fax": "+351210000000"}}, ["contact.fax"]),
    ({"externalReference": "r" * 65}, ["externalReference"]),
    ({"maxTotalCents": 10**12 + 1}, ["maxTotalCents"]),
    ({"rateId": "rate_x"}, ["rateId"]),
]


ADDED: list[tuple[dict[str, Any], list[str]]] = [
    ({"origin": "XXX"}, ["add.origin"]),
    ({"destination": "LIS"}, ["add.destination"]),
    ({"departureDate": "tomorrow"}, ["add.departureDate"]),
    ({"cabin": "first"}, ["add.cabin"]),
]


@pytest.mark.parametrize(("changes", "fields"), SEARCHES)
def test_a_search_that_cannot_be_meant_names_the_fields(
    desk: Desk, airline: ScriptedFlights, changes: dict[str, Any], fields: list[str]
) -> None:
    reply = desk.api.post("/v1/flights/searches", search_body(**changes))
    assert faults(reply) == fields
    assert reply.headers["X-Search-Billable"] == "false"
    assert (airline.calls("search"), FlightSearch.objects.count()) == (0, 0)


@pytest.mark.parametrize(("changes", "fields"), SLICES)
def test_slices_that_cannot_be_meant_name_the_fields(
    desk: Desk, airline: ScriptedFlights, changes: dict[str, Any], fields: list[str]
) -> None:
    slices = changes["slices"]
    body = dated(changes) if isinstance(slices, str) else slices_body(**changes)
    reply = desk.api.post("/v1/flights/searches", body)
    assert faults(reply) == fields
    assert (airline.calls("search"), FlightSearch.objects.count()) == (0, 0)


@pytest.mark.parametrize("slices", GOOD_SLICES)
def test_slices_at_the_edge_of_what_can_be_meant_are_answered(
    desk: Desk, slices: list[dict[str, Any]]
) -> None:
    assert desk.api.post("/v1/flights/searches", slices_body(slices)).status == 201


@pytest.mark.parametrize("changes", GOOD_SEARCHES)
def test_a_search_at_the_edge_of_what_can_be_meant_is_answered(desk: Desk, changes: dict[str, Any]) -> None:
    least = (
        0 if changes.get("departureDate", 1) <= 0 else 1
    )  # yesterday's flights have left, late in the day today's as well
    assert least <= len(desk.searched(**changes)["offers"]) <= changes.get("limit", 20)


@pytest.mark.parametrize(("changes", "fields"), ORDERS)
def test_an_order_that_cannot_be_meant_names_the_fields(
    desk: Desk, changes: dict[str, Any], fields: list[str]
) -> None:
    assert faults(post_order(desk, **changes)) == fields
    assert Booking.objects.count() == 0


def test_nobody_is_born_tomorrow(desk: Desk) -> None:
    born = [{**ADA, "dateOfBirth": in_days(days)} for days in (1, 0)]
    assert faults(post_order(desk, passengers=born)) == ["passengers.0.dateOfBirth"]


def test_a_live_key_needs_every_passengers_title(live: Desk) -> None:
    untitled = {name: value for name, value in ADA.items() if name != "title"}
    offer = live.flexible(passengers={"adults": 2})
    assert faults(live.order(offer, passengers=[ADA, untitled])) == ["passengers.1.title"]
    assert live.order(offer, passengers=[ADA, ADA]).body["environment"] == "live"


def test_a_test_key_needs_no_title(desk: Desk) -> None:
    untitled = {name: value for name, value in ADA.items() if name != "title"}
    (passenger,) = desk.order(desk.offer(), passengers=[untitled]).body["passengers"]
    assert passenger == {
        **untitled,
        "title": None,
        "gender": None,
        "identityDocuments": [],
        "loyaltyAccounts": [],
    }


@pytest.mark.parametrize(("changes", "fields"), ADDED)
def test_a_question_for_options_that_cannot_be_meant_names_the_field(
    desk: Desk, airline: ScriptedFlights, changes: dict[str, Any], fields: list[str]
) -> None:
    order = desk.ordered()
    body = options_body(order["slices"][0])
    reply = desk.api.post(path(order), {**body, "add": {**body["add"], **changes}})
    assert faults(reply) == fields
    assert (airline.calls("change_options"), FlightChangeSearch.objects.count()) == (0, 0)


@pytest.mark.parametrize(("days", "status"), [(-2, 400), (-1, 200), (361, 200), (362, 400)])
def test_a_leg_can_be_moved_to_any_day_that_can_be_searched_for(desk: Desk, days: int, status: int) -> None:
    order = desk.ordered()
    assert desk.ask_options(order, days=days).status == status


def post_order(desk: Desk, **changes: Any) -> Any:
    """The reply to an order of no offer: what is wrong with its body is said before that is seen."""
    body = {"offerId": "offer_x", "passengers": [ADA], "contact": CONTACT, **changes}
    return desk.api.post(
        "/v1/flights/orders", {name: value for name, value in body.items() if value is not ...}
    )


def path(order: dict[str, Any]) -> str:
    return f"/v1/flights/orders/{order['id']}/change-options"


HANDLE, PRICE, FUNDS, PAYMENT, SUPPLIER, SLOW = (
    "sbx_offer_expired",
    "sbx_price_changed",
    "sbx_insufficient_funds",
    "sbx_payment_failed",
    "sbx_supplier_error",
    "sbx_slow",
)
FAILED = (502, "upstream_error")


def test_an_order_that_the_airline_refuses_is_kept_as_failed_and_its_funds_return(
    desk: Desk, partner: Onboarded
) -> None:
    offer = desk.offer()
    total = offer["totalCents"]
    reply = desk.order(offer, "order-again", X_Partner_Customer_Ref=SUPPLIER)
    assert (refusal(reply), reply.headers["X-Sandbox-Trigger"]) == (FAILED, SUPPLIER)
    assert Booking.objects.get().status == "failed"
    assert lines(partner) == [("hold", -total, total), ("release", total, -total)]
    # The 502 released the key: without the trigger the same call is a new attempt.
    again = desk.order(offer, "order-again")
    assert (again.status, funds(partner)) == (201, (BALANCE_CENTS - total, 0))
    assert sorted(Booking.objects.values_list("status", flat=True)) == ["failed", "ticketed"]
    assert [type for type, _ in told()] == ["booking.confirmed"]


def listing(desk: Desk, query: str = "") -> Reply:
    return desk.api.get(f"/v1/flights/orders?{query}")


def test_a_replay_of_a_search_whose_record_is_gone_has_no_body_to_give(desk: Desk) -> None:
    body = desk.searched()
    assert stored_search(body["id"]) is not None
    FlightSearch.objects.all().delete()
    assert stored_search(body["id"]) is None


def test_a_listed_order_is_told_as_it_is_read(desk: Desk) -> None:
    order = desk.round_trip()
    order = desk.changed(order, desk.options_of(order, days=62)[-1])
    assert listing(desk).body["data"] == [desk.read(order["id"])] == [order]
