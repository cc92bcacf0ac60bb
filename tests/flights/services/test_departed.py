"""What has departed is not sold, not changed, and worth nothing (contract §7.1)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.flights.suppliers.base import Slice
from apps.onboarding.partners import Onboarded
from apps.suppliers.results import Found
from tests.flights.desk import ADA, BYRON, Desk, faults, funds, options_body, refusal
from tests.support.flight_shop import CONTACT
from tests.support.scripted_flights import ScriptedFlights

CONFLICT, EXPIRED = (409, "conflict"), (410, "offer_expired")
HOUR = timedelta(hours=1)


def departure(order: dict[str, Any], leg: int = 0) -> datetime:
    return datetime.fromisoformat(order["slices"][leg]["departureAt"])


def arrival(order: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(order["slices"][-1]["arrivalAt"])


def moved_to(leg: Slice, departs: datetime) -> Slice:
    return replace(leg, departure_at=departs, arrival_at=departs + (leg.arrival_at - leg.departure_at))


# --- Not for sale --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("day", [-1, 0])
def test_a_search_has_no_flight_that_has_left(desk: Desk, at: Callable[..., None], day: int) -> None:
    at(clock.now().replace(hour=12, minute=0))
    found = desk.searched(departureDate=day, limit=100)
    assert all(datetime.fromisoformat(o["slices"][0]["departureAt"]) > clock.now() for o in found["offers"])
    assert bool(found["offers"]) == (day == 0)
    assert found["withheld"]["noLongerSold"] > 0


def test_a_supplier_that_offers_what_has_left_is_not_believed(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = airline.simulator.search
    left = clock.now() - HOUR

    def with_one_departed(request: Any) -> Any:
        found = offered(request)
        found[0] = replace(found[0], slices=(moved_to(found[0].slices[0], left),))
        return found

    monkeypatch.setattr(airline.simulator, "search", with_one_departed)
    found = desk.searched(limit=3)
    assert (len(found["offers"]), found["withheld"]["noLongerSold"]) == (2, 1)


def test_a_handle_ends_when_the_flight_leaves(
    desk: Desk, at: Callable[..., None], partner: Onboarded, airline: ScriptedFlights
) -> None:
    first = min(desk.searched()["offers"], key=lambda offer: offer["slices"][0]["departureAt"])
    leaves = datetime.fromisoformat(first["slices"][0]["departureAt"])
    at(leaves - timedelta(minutes=10))
    offers = desk.searched(departureDate=leaves.date().isoformat())["offers"]
    offer = min(offers, key=lambda offer: offer["slices"][0]["departureAt"])
    assert offer["expiresAt"] == clock.rfc3339(leaves)
    at(leaves)
    before = funds(partner)
    asked = airline.calls("reprice"), airline.calls("book")
    assert refusal(desk.reprice(offer)) == EXPIRED
    assert refusal(desk.order(offer)) == EXPIRED
    assert (funds(partner), airline.calls("reprice"), airline.calls("book")) == (before, *asked)


# --- Changes -------------------------------------------------------------------------------------------------------------
def test_a_slice_that_has_departed_is_neither_priced_nor_changed(
    desk: Desk, at: Callable[..., None], airline: ScriptedFlights
) -> None:
    order = desk.round_trip()
    at(departure(order) - timedelta(minutes=1))
    option = desk.options_of(order, days=2)[0]
    at(departure(order))
    assert refusal(desk.ask_options(order, days=2)) == CONFLICT
    asked = airline.calls("change_options")
    refused = desk.confirm(order, option)
    assert (refusal(refused), refused.error["message"]) == (
        CONFLICT,
        "This slice has departed; it can no longer be changed.",
    )
    assert (airline.calls("change"), airline.calls("change_options")) == (0, asked)


def test_an_option_whose_flight_has_left_is_left_out_and_counted(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    priced = airline.simulator.change_options

    def with_one_departed(request: Any) -> Any:
        found = priced(request)
        found[0] = replace(found[0], slice=moved_to(found[0].slice, clock.now() - HOUR))
        return found

    monkeypatch.setattr(airline.simulator, "change_options", with_one_departed)
    reply = desk.ask_options(order)
    assert reply.body["withheld"] == {"outOfOrder": 0, "noLongerSold": 1, "unsupported": 0, "unreadable": 0}
    assert reply.body["options"]


def test_an_option_can_be_bought_until_its_flight_leaves(
    desk: Desk, airline: ScriptedFlights, at: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    leaves = clock.now().replace(microsecond=0) + timedelta(minutes=5)
    priced = airline.simulator.change_options
    monkeypatch.setattr(
        airline.simulator,
        "change_options",
        lambda request: Found(replace(one, slice=moved_to(one.slice, leaves)) for one in priced(request)),
    )
    option = desk.options_of(order)[0]
    assert option["expiresAt"] == clock.rfc3339(leaves)
    at(leaves)
    assert refusal(desk.confirm(order, option)) == EXPIRED


@pytest.mark.parametrize(
    ("leg", "origin", "destination", "fits"),
    [
        (0, "LIS", "BER", True),
        (0, "OPO", "BER", True),  # nothing comes before it
        (0, "LIS", "MUC", False),
        (1, "BER", "LIS", True),
        (1, "BER", "OPO", True),
        (1, "MUC", "LIS", False),
    ],
)
def test_the_new_slice_keeps_the_route_or_joins_its_neighbours(
    desk: Desk, airline: ScriptedFlights, leg: int, origin: str, destination: str, fits: bool
) -> None:
    order = desk.round_trip()
    body = options_body(order["slices"][leg], days=69)
    body["add"] |= {"origin": origin, "destination": destination}
    reply = desk.api.post(f"/v1/flights/orders/{order['id']}/change-options", body)
    if fits:
        assert reply.status == 200
    else:
        assert faults(reply) == ["add"]
    assert airline.calls("change_options") == fits


@pytest.mark.parametrize(("leg", "days"), [(0, 72), (1, 58)])
def test_a_day_that_breaks_the_order_of_the_slices_is_named(
    desk: Desk, airline: ScriptedFlights, leg: int, days: int
) -> None:
    order = desk.round_trip()
    assert faults(desk.ask_options(order, leg, days)) == ["add.departureDate"]
    assert airline.calls("change_options") == 0


def test_options_that_overlap_another_slice_are_left_out_and_counted(desk: Desk) -> None:
    order = desk.round_trip()
    reply = desk.ask_options(order, leg=0, days=70)  # the day of the flight back
    back = departure(order, 1)
    assert all(datetime.fromisoformat(one["slice"]["arrivalAt"]) <= back for one in reply.body["options"])
    assert reply.body["withheld"]["outOfOrder"] > 0


def test_an_option_that_overlaps_by_now_is_not_confirmed(desk: Desk, airline: ScriptedFlights) -> None:
    order = desk.round_trip()
    option = desk.options_of(order, leg=0, days=69)[-1]
    booking = Booking.objects.get()
    back = booking.details["slices"][1]["leg"]
    lasts = datetime.fromisoformat(back["arrival_at"]) - datetime.fromisoformat(back["departure_at"])
    earlier = datetime.fromisoformat(option["slice"]["departureAt"])
    back |= {"departure_at": earlier.isoformat(), "arrival_at": (earlier + lasts).isoformat()}
    booking.save()
    refused = desk.confirm(order, option)
    assert refusal(refused) == CONFLICT
    assert "overlaps another slice" in refused.error["message"]
    assert airline.calls("change") == 0


def test_after_the_first_departure_a_change_returns_nothing(
    desk: Desk, at: Callable[..., None], partner: Onboarded
) -> None:
    order = desk.round_trip()
    cheaper = desk.options_of(order, leg=1, days=75)[0]
    assert cheaper["differenceCents"] < 0
    at(departure(order) + HOUR)
    options = desk.options_of(order, leg=1, days=75)
    assert options[0]["differenceCents"] == 0
    assert options[0]["newTotalCents"] == order["totalCents"]
    before = funds(partner)
    changed = desk.changed(order, options[0])
    assert (changed["totalCents"], changed["changes"][0]["differenceCents"]) == (order["totalCents"], 0)
    assert funds(partner) == before


def test_a_saving_quoted_before_the_departure_is_not_paid_after_it(
    desk: Desk, at: Callable[..., None], airline: ScriptedFlights, partner: Onboarded
) -> None:
    order = desk.round_trip()
    at(departure(order) - timedelta(minutes=5))
    cheaper = desk.options_of(order, leg=1, days=14)[0]
    assert cheaper["differenceCents"] < 0
    at(departure(order) + timedelta(minutes=5))
    refused = desk.confirm(order, cheaper)
    assert refusal(refused) == (409, "price_changed")
    assert refused.error["currentTotalCents"] == order["totalCents"]
    assert airline.calls("change") == 0


# --- Cancelling ----------------------------------------------------------------------------------------------------------
def test_from_the_first_departure_on_cancelling_costs_the_total(
    desk: Desk, at: Callable[..., None], airline: ScriptedFlights, partner: Onboarded
) -> None:
    """Whatever the airline would return: the rule is the service's."""
    order = desk.round_trip()
    last_step = order["cancellationSteps"][-1]
    assert last_step["from"] == clock.rfc3339(departure(order))
    assert last_step["penaltyCents"] == order["totalCents"]
    at(departure(order))
    quote = airline.simulator.quote_cancellation(order["supplier"]["reference"])
    generous = replace(quote, penalty_cents=0, refund_cents=order["totalCents"])
    airline.simulator.quote_cancellation = lambda reference: generous  # type: ignore[method-assign]
    airline.simulator.cancel = lambda *arguments: generous  # type: ignore[method-assign]
    before = funds(partner)
    limited = desk.cancel(order["id"], maxPenaltyCents=order["totalCents"] - 1)
    assert (refusal(limited), limited.error["penaltyCents"]) == (CONFLICT, order["totalCents"])
    cancelled = desk.cancel(order["id"]).body
    assert cancelled["cancellation"]["penaltyCents"] == order["totalCents"]
    assert (cancelled["cancellation"]["refundCents"], funds(partner)) == (0, before)


@pytest.mark.parametrize("later", [timedelta(), timedelta(days=26)])
def test_after_the_last_arrival_nothing_can_be_cancelled(
    desk: Desk, at: Callable[..., None], airline: ScriptedFlights, later: timedelta
) -> None:
    order = desk.ordered()
    at(arrival(order) + later)
    refused = desk.cancel(order["id"])
    assert (refusal(refused), refused.error["message"]) == (
        CONFLICT,
        "The service is over; it can no longer be cancelled.",
    )
    assert airline.calls("quote_cancellation") == 0
    assert desk.read(order["id"])["status"] == "ticketed"


# --- Ages ----------------------------------------------------------------------------------------------------------------
def born(years: int, days_later: int = 0) -> str:
    """A birth so many years before the day of departure, and some days later."""
    day = clock.today() + timedelta(days=60)
    birthday = day.replace(year=day.year - years, day=min(day.day, 28))
    return min(clock.today(), birthday + timedelta(days=day.day - birthday.day + days_later)).isoformat()


@pytest.mark.parametrize(
    ("kind", "birth", "fits"),
    [
        ("adult", (0, 0), False),  # born today
        ("adult", (5, 0), False),
        ("adult", (12, 1), False),  # twelve the day after
        ("adult", (12, -2), True),
        ("adult", (77, 0), True),
        ("infant", (76, 0), False),
        ("infant", (2, -2), False),
        ("infant", (2, 1), True),
        ("child", (2, 1), False),
        ("child", (2, -2), True),
        ("child", (12, 1), True),
        ("child", (12, -2), False),
    ],
)
def test_everybody_is_of_the_age_of_their_type_on_the_day_of_the_last_leg(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, kind: str, birth: tuple[int, int], fits: bool
) -> None:
    plural = {"adult": "adults", "child": "children", "infant": "infants"}[kind]
    counts = {"adults": 1, **({plural: 1} if kind != "adult" else {})}
    passenger = {**(ADA if kind == "adult" else BYRON), "type": kind, "dateOfBirth": born(*birth)}
    passengers = [passenger] if kind == "adult" else [ADA, passenger]
    offer = desk.searched(passengers=counts)["offers"][0]
    body = {"offerId": offer["offerId"], "passengers": passengers, "contact": CONTACT}
    before = funds(partner)
    reply = desk.api.post("/v1/flights/orders", body)
    if fits:
        assert reply.status == 201, reply.body
        return
    assert faults(reply) == [f"passengers.{len(passengers) - 1}.dateOfBirth"]
    assert (funds(partner), airline.calls("book")) == (before, 0)


def test_a_change_to_a_day_on_which_an_infant_has_turned_two_is_refused(
    desk: Desk, airline: ScriptedFlights
) -> None:
    infant = {**BYRON, "type": "infant", "dateOfBirth": born(2, 3)}
    offer = desk.flexible(passengers={"adults": 1, "infants": 1})
    reply = desk.order(offer, passengers=[ADA, infant])
    assert reply.status == 201, reply.body
    order = reply.body
    assert desk.ask_options(order, days=62).status == 200
    refused = desk.ask_options(order, days=64)
    assert (refusal(refused), airline.calls("change_options")) == (CONFLICT, 1)


def test_an_option_on_which_an_infant_has_turned_two_is_not_confirmed(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though an airline names flights of another day than it was asked for."""
    infant = {**BYRON, "type": "infant", "dateOfBirth": born(2, 3)}
    order = desk.order(desk.flexible(passengers={"adults": 1, "infants": 1}), passengers=[ADA, infant]).body
    priced = airline.simulator.change_options

    def two_days_later(request: Any) -> Any:
        return Found(
            replace(one, slice=moved_to(one.slice, one.slice.departure_at + timedelta(days=2)))
            for one in priced(request)
        )

    monkeypatch.setattr(airline.simulator, "change_options", two_days_later)
    option = desk.options_of(order, days=62)[0]
    assert refusal(desk.confirm(order, option)) == CONFLICT
    assert airline.calls("change") == 0
