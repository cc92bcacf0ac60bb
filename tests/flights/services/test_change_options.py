"""The ways to change a leg: what they cost, how long they hold, and for which orders there are none."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.common.errors import Conflict
from apps.flights.models import FlightChangeSearch
from apps.flights.services.change_options import as_charged, offered_by
from apps.flights.suppliers.base import ChangeOption, ChangeSearch
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Missing
from apps.suppliers.results import Found
from apps.suppliers.values import from_json
from tests.flights.desk import Desk, faults, funds, in_days, options_body, refusal
from tests.support.scripted_flights import ScriptedFlights

CONFLICT = (409, "conflict")


def test_options_say_what_a_change_costs_and_saves(desk: Desk, partner: Onboarded) -> None:
    order = desk.ordered()
    before = funds(partner)
    reply = desk.ask_options(order)
    row = FlightChangeSearch.objects.get()
    assert (reply.status, reply.body["orderId"]) == (200, order["id"])
    options = reply.body["options"]
    differences = [option["differenceCents"] for option in options]
    assert differences == sorted(differences)
    assert differences[0] < 0 < differences[-1]
    for option in options:
        assert option["newTotalCents"] == order["totalCents"] + option["differenceCents"]
        assert option["penaltyCents"] > 0
        assert (option["currency"], option["expiresAt"]) == ("EUR", clock.rfc3339(row.expires_at))
        leg = option["slice"]
        assert (leg["origin"], leg["destination"], leg["departureAt"][:10]) == ("LIS", "BER", in_days(67))
    handles = [option["changeId"] for option in options] + [option["slice"]["sliceId"] for option in options]
    assert len(set(handles)) == len(handles)
    # … and nothing was reissued, and no money moved.
    assert (desk.read(order["id"]), funds(partner), Operation.objects.count()) == (order, before, 1)


def test_the_airline_is_asked_for_the_leg_by_its_own_name(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.round_trip()
    booking = Booking.objects.get()
    asked: list[ChangeSearch] = []
    monkeypatch.setattr(airline.simulator, "change_options", lambda request: asked.append(request) or Found())
    body = options_body(order["slices"][1], days=80)
    body["add"]["destination"] = "OPO"
    reply = desk.api.post(f"/v1/flights/orders/{order['id']}/change-options", body)
    none = {"outOfOrder": 0, "noLongerSold": 0, "unsupported": 0, "unreadable": 0}
    assert (reply.status, reply.body) == (200, {"orderId": order["id"], "options": [], "withheld": none})
    back = booking.details["slices"][1]["leg"]["supplier_id"]
    (request,) = asked
    assert (request.supplier_reference, request.remove_slice) == (booking.supplier_reference, back)
    assert (request.origin, request.destination) == ("BER", "OPO")
    assert request.departure_date.isoformat() == in_days(80)


@pytest.mark.parametrize(("minutes", "lives"), [(5, 5), (60, 20)])
def test_an_option_lives_as_long_as_the_airline_says_and_twenty_minutes_at_most(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, minutes: int, lives: int
) -> None:
    order = desk.ordered()
    now, price = clock.now(), airline.simulator.change_options
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    ends = now + timedelta(minutes=minutes)
    monkeypatch.setattr(
        airline.simulator,
        "change_options",
        lambda asked: Found(replace(o, expires_at=ends) for o in price(asked)),
    )
    expected = clock.rfc3339(now + timedelta(minutes=lives))
    assert {option["expiresAt"] for option in desk.options_of(order)} == {expected}


def test_a_leg_that_is_not_on_the_order_is_named(desk: Desk, airline: ScriptedFlights) -> None:
    order, other = desk.ordered(), desk.ordered()
    theirs = options_body(other["slices"][0])
    for body in (theirs, {**theirs, "removeSliceId": "slice_x"}, {**theirs, "removeSliceId": order["id"]}):
        reply = desk.api.post(f"/v1/flights/orders/{order['id']}/change-options", body)
        assert faults(reply) == ["removeSliceId"]
    assert airline.calls("change_options") == 0


def test_a_fare_that_cannot_be_changed_has_no_options(desk: Desk) -> None:
    order = desk.ordered(desk.offer(refundable=False))
    assert order["conditions"]["changeable"] is False
    assert refusal(desk.ask_options(order)) == CONFLICT


def test_what_the_airline_allows_by_now_counts_and_not_the_stored_terms(
    desk: Desk, move_clock: Callable[..., None]
) -> None:
    """They forbade it when the order was ticketed; a poll shows what holds."""

    def forbid() -> None:
        booking = Booking.objects.get()
        booking.details["conditions"]["changeable"] = False
        booking.save()
        assert desk.read(order["id"])["conditions"]["changeable"] is False

    order = desk.ordered()
    forbid()
    option = desk.options_of(order)[0]
    assert desk.changed(order, option)["conditions"]["changeable"] is True
    forbid()
    move_clock(days=1, minutes=1)
    poll_suppliers()
    assert desk.read(order["id"])["conditions"]["changeable"] is True


@pytest.mark.parametrize(
    ("difference", "total"), [(-10_001, 0), (-10_000, 0), (-9_999, 1), (0, 10_000), (1, 10_001)]
)
def test_the_new_total_is_what_will_have_been_paid_whatever_the_airline_says(
    desk: Desk, difference: int, total: int
) -> None:
    order = desk.ordered()
    desk.options_of(order)
    option = from_json(ChangeOption, FlightChangeSearch.objects.get().options[0])
    theirs = replace(option, difference_cents=difference, new_total_cents=77_777)
    booking = Booking.objects.get()
    booking.total_cents = 10_000
    assert as_charged(booking, theirs) == replace(theirs, new_total_cents=total)


def test_an_order_that_the_airline_has_moved_is_read_anew_at_once(
    desk: Desk, airline: ScriptedFlights
) -> None:
    desk.ordered()
    booking = Booking.objects.get()
    airline.spoil("change_options", Missing())
    asked = ChangeSearch(booking.supplier_reference, "gone", "LIS", "BER", clock.today())
    with pytest.raises(Conflict, match="The airline has changed this order") as raised:
        offered_by(airline, asked, booking)  # type: ignore[arg-type]
    assert raised.value.own_texts == {raised.value.message}
    looked_at, due = booking.next_news_at, Booking.objects.get().next_news_at
    assert looked_at is not None
    assert due is not None
    assert due <= clock.now() < looked_at
