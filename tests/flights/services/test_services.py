"""Bags and seats, ordered with the fare: what is listed, what may stand beside what, and every cent of it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.bookings.models import Booking
from apps.common import clock
from apps.flights.models import FlightServiceList
from apps.flights.tasks import prune_flight_searches
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from tests.flights.desk import (
    ADA,
    ANNABELLA,
    BALANCE_CENTS,
    BYRON,
    CHARLES,
    Desk,
    faults,
    funds,
    lines,
    refusal,
    told,
)
from tests.support.scripted_flights import ScriptedFlights

FAMILY = {"adults": 2, "children": 1, "infants": 1}
BABY = {**ANNABELLA, "dateOfBirth": "2026-01-31"}
TRAVELLERS = [BYRON, ADA, BABY, CHARLES]  # places in the party: 2, 0, 3, 1
GONE_SEAT = "7C"


def services(desk: Desk, offer: dict[str, Any]) -> list[dict[str, Any]]:
    reply = desk.api.get(f"/v1/flights/offers/{offer['offerId']}/services")
    assert reply.status == 200, reply.body
    return list(reply.body["services"])


def seat_maps(desk: Desk, offer: dict[str, Any]) -> list[dict[str, Any]]:
    reply = desk.api.get(f"/v1/flights/offers/{offer['offerId']}/seat-maps")
    assert reply.status == 200, reply.body
    return list(reply.body["seatMaps"])


def elements(maps: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in maps:
        for cabin in one["cabins"]:
            for row in cabin["rows"]:
                for section in row["sections"]:
                    for element in section["elements"]:
                        yield one["segmentId"], element


def seats(maps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every seat that can be bought, for each passenger who may have it."""
    return [
        {**service, "segmentId": segment, "designator": element["designator"]}
        for segment, element in elements(maps)
        for service in element["services"]
        if element["designator"] != GONE_SEAT
    ]


def wanted(*chosen: dict[str, Any], quantity: int = 1) -> list[dict[str, Any]]:
    return [{"serviceId": one["serviceId"], "quantity": quantity} for one in chosen]


def flights(offer: dict[str, Any]) -> list[str]:
    return [segment["segmentId"] for leg in offer["slices"] for segment in leg["segments"]]


def test_bags_are_sold_by_weight_to_all_who_have_a_seat(desk: Desk) -> None:
    offer = desk.flexible(passengers=FAMILY, returnDate=70)
    listed = services(desk, offer)
    bags = [one for one in listed if one["kind"] == "checked_bag"]
    assert {one["passenger"] for one in listed} == {0, 1, 2}
    assert {one["weightKg"] for one in bags} == {15, 20, 23, 32}
    assert {one["maxQuantity"] for one in bags} == {1, 3}
    assert {tuple(one["sliceIds"]) for one in bags} == {(leg["sliceId"],) for leg in offer["slices"]}
    assert sorted({id_ for one in bags for id_ in one["segmentIds"]}) == sorted(flights(offer))
    assert all(
        one["totalCents"] > 0 and one["currency"] == "EUR" and one["designator"] is None for one in listed
    )


def test_seat_maps_have_exits_and_seats_that_are_taken_free_and_paid(desk: Desk) -> None:
    offer = desk.flexible(passengers=FAMILY)
    maps = seat_maps(desk, offer)
    assert [one["segmentId"] for one in maps] == flights(offer)
    found = [element for _, element in elements(maps)]
    assert {one["type"] for one in found} >= {"seat", "exit_row", "galley", "lavatory"}
    assert all(one["designator"] is None for one in found if one["type"] != "seat")
    assert any(one["type"] == "seat" and not one["services"] for one in found)
    prices = {service["totalCents"] for one in found for service in one["services"]}
    assert min(prices) == 0 < max(prices)
    exits = [one for one in found if one["disclosures"] and one["services"]]
    assert exits
    assert all({service["passenger"] for service in one["services"]} == {0, 1} for one in exits)


def test_an_order_holds_and_captures_fare_and_services_together(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    offer = desk.flexible(passengers=FAMILY)
    bag = next(
        one
        for one in services(desk, offer)
        if (one["passenger"], one["weightKg"], one["kind"][:7]) == (1, 23, "checked")
    )
    seat = next(one for one in seats(seat_maps(desk, offer)) if one["passenger"] == 2 and one["totalCents"])
    cost = 2 * bag["totalCents"] + seat["totalCents"]
    during: list[tuple[int, int]] = []
    airline.meanwhile("book", lambda: during.append(funds(partner)))
    reply = desk.order(
        offer,
        passengers=TRAVELLERS,
        services=[*wanted(bag, quantity=2), *wanted(seat)],
        externalReference="T-1",
    )
    order, total = reply.body, offer["totalCents"] + cost
    assert during == [(BALANCE_CENTS - total, total)]
    assert (reply.status, order["totalCents"]) == (201, total)
    common = {"sliceIds": [offer["slices"][0]["sliceId"]], "currency": "EUR"}
    assert order["services"] == [
        {
            **common,
            "serviceId": bag["serviceId"],
            "kind": "checked_bag",
            "passenger": 3,  # the second adult as they were sent
            "segmentIds": bag["segmentIds"],
            "quantity": 2,
            "totalCents": 2 * bag["totalCents"],
            "weightKg": 23,
            "designator": None,
        },
        {
            **common,
            "serviceId": seat["serviceId"],
            "kind": "seat",
            "passenger": 0,  # the child
            "segmentIds": [seat["segmentId"]],
            "quantity": 1,
            "totalCents": seat["totalCents"],
            "weightKg": None,
            "designator": seat["designator"],
        },
    ]
    assert lines(partner) == [("hold", -total, total), ("capture", 0, -total)]
    assert told() == [("booking.confirmed", {"totalCents": total})]
    assert desk.read(order["id"]) == order
    assert desk.cancel(order["id"]).body["cancellation"]["refundCents"] > offer["totalCents"] * 7 // 10


def test_an_order_without_services_asks_for_none(desk: Desk, airline: ScriptedFlights) -> None:
    order = desk.order(desk.flexible(), services=[]).body
    assert (order["services"], order["servicesLost"]) == ([], [])
    assert [airline.calls(name) for name in ("services", "seat_maps", "reprice_services", "reprice")] == [
        0,
        0,
        0,
        1,
    ]


def refused(desk: Desk, partner: Onboarded, offer: dict[str, Any], chosen: list[dict[str, Any]]) -> list[str]:
    """The fields that are wrong, with nothing booked and nothing held."""
    reply = desk.order(offer, passengers=TRAVELLERS, services=chosen)
    assert (Booking.objects.count(), lines(partner)) == (0, [])
    return faults(reply)


def test_services_that_cannot_be_bought_together_are_named(desk: Desk, partner: Onboarded) -> None:
    offer = desk.flexible(passengers=FAMILY)
    bags = [one for one in services(desk, offer) if one["kind"] == "checked_bag"]
    light, heavy = (next(one for one in bags if one["weightKg"] == weight) for weight in (15, 32))
    free = seats(seat_maps(desk, offer))
    first = free[0]
    same_flight = [one for one in free if one["segmentId"] == first["segmentId"]]
    another_seat = next(
        one for one in same_flight if one["passenger"] == 0 and one["designator"] != first["designator"]
    )
    another_passenger = next(
        one for one in same_flight if one["passenger"] == 1 and one["designator"] == first["designator"]
    )
    other = services(desk, desk.flexible(passengers=FAMILY))[0]
    second = ["services.1.serviceId"]
    for chosen, fields in (
        (wanted(other), ["services.0.serviceId"]),
        (wanted({"serviceId": "service_x"}), ["services.0.serviceId"]),
        (wanted({"serviceId": first["serviceId"][:-4] + "zzzz"}), ["services.0.serviceId"]),
        (wanted(first, another_seat), second),
        (wanted(first, another_passenger), second),
        (wanted(first, first), second),
        (wanted(light, heavy), second),
        (wanted(light, quantity=4), ["services.0.quantity"]),
        (wanted(heavy, quantity=2), ["services.0.quantity"]),
        (wanted(light, quantity=0), ["services.0.quantity"]),
        (wanted(light, quantity=100), ["services.0.quantity"]),
        (wanted(first, quantity=2), ["services.0.quantity"]),
        (wanted(other, first, first), ["services.0.serviceId", "services.2.serviceId"]),
    ):
        assert refused(desk, partner, offer, chosen) == fields, chosen


@pytest.mark.parametrize(("passenger", "kind"), [(3, "seat"), (4, "seat"), (4, "checked_bag")])
def test_what_is_of_an_infant_or_of_nobody_is_refused(
    desk: Desk, partner: Onboarded, passenger: int, kind: str
) -> None:
    """The airlines that we sell list neither."""
    offer = desk.flexible(passengers=FAMILY)
    seat = seats(seat_maps(desk, offer))[0]
    row = FlightServiceList.objects.get()
    row.services[0].update(passenger=passenger, kind=kind)
    row.save()
    assert refused(desk, partner, offer, wanted(seat)) == ["services.0.serviceId"]


def test_services_of_another_partner_are_unknown(desk: Desk, stranger: Desk, partner: Onboarded) -> None:
    bag = services(stranger, stranger.flexible(passengers=FAMILY))[0]
    assert refused(desk, partner, desk.flexible(passengers=FAMILY), wanted(bag)) == ["services.0.serviceId"]


def test_a_seat_that_is_taken_meanwhile_costs_nothing(desk: Desk, partner: Onboarded) -> None:
    offer = desk.flexible()
    taken = next(
        service
        for _, element in elements(seat_maps(desk, offer))
        for service in element["services"]
        if element["designator"] == GONE_SEAT
    )
    bag = services(desk, offer)[0]
    reply = desk.order(offer, services=wanted(bag, taken))
    assert refusal(reply) == (409, "service_unavailable")
    assert reply.error["serviceId"] == taken["serviceId"]
    assert ([line for line, *_ in lines(partner)], funds(partner)) == (
        ["hold", "release"],
        (BALANCE_CENTS, 0),
    )
    assert (Booking.objects.get().status, told()) == ("failed", [])
    assert desk.order(offer, services=wanted(bag)).status == 201


def test_what_the_airline_no_longer_lists_is_gone_before_it_is_asked_to_book(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = desk.flexible()
    bag = services(desk, offer)[0]
    monkeypatch.setattr(airline.simulator, "services", lambda offer: [])
    reply = desk.order(offer, services=wanted(bag))
    assert (refusal(reply), reply.error["serviceId"]) == ((409, "service_unavailable"), bag["serviceId"])
    assert (airline.calls("book"), funds(partner)) == (0, (BALANCE_CENTS, 0))


def test_the_price_of_both_is_asked_again(desk: Desk, airline: ScriptedFlights, partner: Onboarded) -> None:
    offer = desk.flexible()
    bag = services(desk, offer)[0]
    quoted = offer["totalCents"] + bag["totalCents"]
    airline.ask(110)
    reply = desk.order(offer, services=wanted(bag))
    now = reply.error["currentTotalCents"]
    assert refusal(reply) == (409, "price_changed")
    assert (reply.error["previousTotalCents"], now > quoted * 109 // 100) == (quoted, True)
    assert (airline.calls("book"), funds(partner)) == (0, (BALANCE_CENTS, 0))
    too_little = desk.order(offer, services=wanted(bag), maxTotalCents=now - 1)
    assert (refusal(too_little), funds(partner)) == ((409, "price_changed"), (BALANCE_CENTS, 0))
    order = desk.order(offer, services=wanted(bag), maxTotalCents=now).body
    assert (order["totalCents"], funds(partner)) == (now, (BALANCE_CENTS - now, 0))
    assert order["services"][0]["totalCents"] == bag["totalCents"] * 110 // 100


def test_a_price_that_rises_in_the_last_moment_books_nothing(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    offer = desk.flexible()
    bag = services(desk, offer)[0]
    airline.meanwhile("book", lambda: airline.ask(110))
    reply = desk.order(offer, services=wanted(bag))
    assert refusal(reply) == (409, "price_changed")
    assert reply.error["currentTotalCents"] > offer["totalCents"] + bag["totalCents"]
    assert funds(partner) == (BALANCE_CENTS, 0)


def test_max_total_bounds_fare_and_services(desk: Desk, partner: Onboarded) -> None:
    offer = desk.flexible()
    bag = services(desk, offer)[0]
    reply = desk.order(offer, services=wanted(bag), maxTotalCents=offer["totalCents"])
    assert (refusal(reply), Booking.objects.count()) == ((409, "price_changed"), 0)


def test_a_list_dies_with_its_offer(desk: Desk, move_clock: Any) -> None:
    offer = desk.flexible()
    bag = services(desk, offer)[0]
    move_clock(minutes=21)
    assert refusal(desk.api.get(f"/v1/flights/offers/{offer['offerId']}/services")) == (410, "offer_expired")
    assert refusal(desk.order(offer, services=wanted(bag))) == (410, "offer_expired")
    move_clock(days=2)
    prune_flight_searches()
    assert FlightServiceList.objects.count() == 0


def test_children_have_the_places_of_their_ages(desk: Desk) -> None:
    """The second child that was searched for is sent first."""
    ages = {"adults": 1, "children": 2, "childrenAges": [8, 4]}
    offer = desk.flexible(passengers=ages)
    bag = next(one for one in services(desk, offer) if one["passenger"] == 2)
    year = (clock.today() + timedelta(days=60)).year
    young, old = (
        {**BYRON, "firstName": name, "dateOfBirth": f"{year - age}-01-01"}
        for name, age in (("Y", 4), ("O", 8))
    )
    reply = desk.order(offer, passengers=[young, old, ADA], services=wanted(bag))
    assert (reply.status, reply.body["services"][0]["passenger"]) == (201, 0)


def test_a_change_carries_bags_over_and_loses_seats_by_name(desk: Desk) -> None:
    offer = desk.flexible(returnDate=70)
    first_leg, second_leg = (leg["sliceId"] for leg in offer["slices"])
    bags = [one for one in services(desk, offer) if one["weightKg"] == 23]
    maps = seats(seat_maps(desk, offer))
    by_flight = {one["segmentId"]: one for one in maps}
    out, back = (by_flight[leg["segments"][0]["segmentId"]] for leg in offer["slices"])
    order = desk.order(offer, services=wanted(bags[0], out, back)).body
    changed = desk.changed(order, desk.options_of(order, leg=0, days=61)[-1])
    new_leg = changed["slices"][0]
    assert [(one["kind"], one["sliceIds"]) for one in changed["services"]] == [
        ("checked_bag", [new_leg["sliceId"]]),
        ("seat", [second_leg]),
    ]
    assert changed["services"][0]["segmentIds"] == [one["segmentId"] for one in new_leg["segments"]]
    (lost,) = changed["servicesLost"]
    assert (lost["designator"], lost["sliceIds"]) == (out["designator"], [first_leg])
    assert changed["totalCents"] - order["totalCents"] == changed["changes"][0]["differenceCents"]
    assert desk.read(order["id"]) == changed


def test_services_are_converted_at_the_rate_of_the_offer(
    live: Desk, former: ScriptedFlights, partner: Onboarded
) -> None:
    """The airline charges dollars: what is captured is its total, converted, and never more than was quoted."""
    offer = live.flexible()
    bag, seat = services(live, offer)[0], seats(seat_maps(live, offer))[0]
    quoted = offer["totalCents"] + 2 * bag["totalCents"] + seat["totalCents"]
    order = live.order(offer, services=[*wanted(bag, quantity=2), *wanted(seat)]).body
    assert [one["currency"] for one in order["services"]] == ["EUR", "EUR"]
    assert quoted - 3 <= order["totalCents"] <= quoted
    assert funds(partner, "live") == (BALANCE_CENTS - order["totalCents"], 0)
    later = live.ordered()
    path = f"/v1/flights/orders/{later['id']}/services"
    more = live.api.get(path).body["services"][0]
    before, _ = funds(partner, "live")
    added = live.api.post(path, {"services": wanted(more)}).body
    assert (
        added["totalCents"] - later["totalCents"] == more["totalCents"] == added["services"][0]["totalCents"]
    )
    assert funds(partner, "live") == (before - more["totalCents"], 0)


# --- Whatever is chosen ---------------------------------------------------------------------------------------------
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_chosen_the_total_is_what_is_captured(
    desk: Desk, partner: Onboarded, data: st.DataObject
) -> None:
    """A choice may be impossible, too dear or gone: then nothing is held."""
    offer = data.draw(st.sampled_from(desk.searched(passengers={"adults": 2}, returnDate=70)["offers"]))
    bags, free = services(desk, offer), seats(seat_maps(desk, offer))
    taken = [
        service
        for _, element in elements(seat_maps(desk, offer))
        for service in element["services"]
        if element["designator"] == GONE_SEAT
    ]
    choice = st.tuples(st.sampled_from([*bags, *free[:40], *free[-40:], *taken[:1]]), st.integers(1, 4))
    chosen = data.draw(st.lists(choice, max_size=5))
    limit = data.draw(st.sampled_from([None, 0, 10**9]))
    before, _ = funds(partner)
    more = {} if limit is None else {"maxTotalCents": limit}
    body = [{"serviceId": one["serviceId"], "quantity": quantity} for one, quantity in chosen]
    reply = desk.order(offer, passengers=[ADA, CHARLES], services=body, **more)
    available, held = funds(partner)
    assert held == 0
    if reply.status == 201:
        cost = sum(one["totalCents"] * quantity for one, quantity in chosen)
        assert sum(one["totalCents"] for one in reply.body["services"]) == cost
        assert reply.body["totalCents"] == offer["totalCents"] + cost == before - available
    else:
        assert (available, reply.status in (400, 409)) == (before, True), reply.body
    assert check_ledger() == []
