"""An airline that moves, renames or tickets an order by itself: the news tell, and never over an operation of the partner's."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking, Operation
from apps.flights.services import airline_changes
from apps.flights.services.airline_changes import read_again
from apps.flights.suppliers.base import FlightOrder, Slice
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Unavailable
from apps.suppliers.values import replaced
from tests.flights.desk import Desk, funds, refusal, told, without
from tests.support.scripted_flights import ScriptedFlights

LATER = timedelta(hours=3)


def moved(leg: Slice, supplier_id: str = "") -> Slice:
    """Three hours later, under another flight number."""
    first, *rest = leg.segments
    renumbered = replaced(
        first,
        flight_number="TP9",
        departure_at=first.departure_at + LATER,
        arrival_at=first.arrival_at + LATER,
    )
    return replace(
        leg,
        supplier_id=supplier_id or leg.supplier_id,
        departure_at=leg.departure_at + LATER,
        arrival_at=leg.arrival_at + LATER,
        segments=(renumbered, *rest),
    )


Tells = Callable[[Callable[[FlightOrder], FlightOrder]], None]


@pytest.fixture
def tells(airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch) -> Tells:
    """`tells(act)`: the airline's word on an order is what `act` makes of it from now on."""
    real = airline.simulator.read_order
    return lambda act: monkeypatch.setattr(
        airline.simulator, "read_order", lambda reference: act(real(reference))
    )


@pytest.fixture
def news(move_clock: Callable[..., None]) -> Callable[[], int]:
    """The next news."""

    def ask() -> int:
        move_clock(hours=1, seconds=1)
        return poll_suppliers()

    return ask


def later(order: FlightOrder) -> FlightOrder:
    return replace(order, slices=tuple(moved(leg, f"{leg.supplier_id}-moved") for leg in order.slices))


def test_the_times_and_flight_numbers_of_now_are_shown_under_the_ids_of_before(
    desk: Desk, tells: Tells, news: Callable[[], int], partner: Onboarded, caplog: Any
) -> None:
    order = desk.round_trip()
    before, watched = funds(partner), Booking.objects.get().watched_until
    tells(later)
    assert news() == 0
    read = desk.read(order["id"])
    own = ("slices", "scheduleChanges", "cancellationSteps", "updatedAt")
    assert without(read, *own) == without(order, *own)
    assert read["updatedAt"] > order["updatedAt"]
    for was, now in zip(order["slices"], read["slices"], strict=True):
        assert (now["sliceId"], now["segments"][0]["flightNumber"]) == (was["sliceId"], "TP9")
        assert (was["departureAt"], was["arrivalAt"]) < (now["departureAt"], now["arrivalAt"])
    booking = Booking.objects.get()
    assert watched is not None
    assert booking.watched_until == watched + LATER
    assert [leg["leg"]["supplier_id"][-6:] for leg in booking.details["slices"]] == ["-moved", "-moved"]
    (change,) = read["scheduleChanges"]
    assert (change["before"], change["after"]) == (order["slices"], read["slices"])
    assert (change["status"], change["acceptedAt"], change["respondBy"]) == ("open", None, None)
    assert change["availableActions"] == ["change", "cancel"]  # the airline lists no change to accept
    # … of which the partner is told once, and nothing moves.
    event = without(change, "status", "acceptedAt")
    assert told()[1:] == [("booking.schedule_changed", event)]
    assert (funds(partner), Operation.objects.count()) == (before, 1)
    assert (news(), news(), len(told())) == (0, 0, 2)
    assert f"{order['reference']}: its airline has changed its flights" in caplog.text


def test_tickets_that_are_made_late_are_shown(
    desk: Desk, airline: ScriptedFlights, news: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a carrier that seemed to make none: it was ticketed without."""
    issue = airline.simulator.book
    monkeypatch.setattr(airline.simulator, "book", lambda asked: replace(issue(asked), ticket_numbers=()))
    order = desk.ordered()
    assert (order["status"], order["ticketNumbers"]) == ("ticketed", [])
    news()
    assert len(desk.read(order["id"])["ticketNumbers"]) == 1
    assert len(told()) == 1


def test_while_an_operation_is_under_way_nothing_is_taken_over(
    desk: Desk, tells: Tells, news: Callable[[], int]
) -> None:
    order = desk.ordered()
    tells(later)
    Operation.objects.update(state="review")
    news()
    assert (desk.read(order["id"]), len(told())) == (order, 1)
    Operation.objects.update(state="confirmed")
    news()
    assert desk.read(order["id"])["slices"] != order["slices"]
    assert len(told()) == 2


def test_a_change_that_ends_while_the_airline_is_read_counts(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, news: Callable[[], int]
) -> None:
    """What was read is the order of before the change, however new."""
    order = desk.ordered()
    real = airline.simulator.read_order
    changed: list[dict[str, Any]] = []

    def read_slowly(reference: str) -> FlightOrder:
        found = real(reference)
        if not changed:
            changed.append(desk.changed(order, desk.options_of(order)[-1]))
        return later(found)

    monkeypatch.setattr(airline.simulator, "read_order", read_slowly)
    news()
    assert desk.read(order["id"]) == changed[0]


def test_a_leg_that_the_airline_replaced_is_a_conflict_and_read_anew_at_once(
    desk: Desk, airline: ScriptedFlights
) -> None:
    order = desk.ordered()
    booking = Booking.objects.get()
    booking.details["slices"][0]["leg"]["supplier_id"] = "gone"
    booking.save()
    reply = desk.ask_options(order)
    assert refusal(reply) == (409, "conflict")
    assert "The airline has changed this order" in reply.error["message"]
    poll_suppliers()
    assert desk.ask_options(order).status == 200


def test_where_the_event_cannot_be_written_the_order_is_not_either_and_the_next_reading_tells(
    desk: Desk, tells: Tells, news: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    tells(later)
    with monkeypatch.context() as broken:
        broken.setattr("apps.bookings.flow.settle.emit_many", fail_to_write)
        news()
    assert (desk.read(order["id"]), len(told())) == (order, 1)
    news()
    assert [name for name, _ in told()] == ["booking.confirmed", "booking.schedule_changed"]


def fail_to_write(**_: object) -> None:
    raise OperationalError


def test_what_the_partner_changes_afterwards_takes_the_place_of_the_airlines_change(
    desk: Desk, airline: ScriptedFlights, news: Callable[[], int]
) -> None:
    order = desk.ordered(desk.flexible())
    airline.simulator.move(order["supplier"]["reference"])
    news()
    moved_order = desk.read(order["id"])
    changed = desk.changed(moved_order, desk.options_of(moved_order)[-1])
    assert [change["status"] for change in changed["scheduleChanges"]] == ["superseded"]
    news()
    assert desk.read(order["id"]) == changed


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The references of our orders that are read again."""
    found: list[str] = []
    monkeypatch.setattr(airline_changes, "poll", lambda booking: found.append(booking.reference))
    return found


def test_the_order_that_is_named_is_read_and_no_other(desk: Desk, read: list[str]) -> None:
    order, other = desk.ordered(), desk.ordered()
    named = order["supplier"]["reference"]
    read_again("simulator", named)
    assert read == [order["reference"]]
    read_again("another", named)
    read_again("simulator", "unheard of")
    Booking.objects.filter(pk=other["id"]).update(product="hotel")
    read_again("simulator", other["supplier"]["reference"])
    assert read == [order["reference"]]


@pytest.mark.parametrize("status", ["cancelled", "failed"])
def test_an_order_that_no_longer_stands_is_not_read(desk: Desk, read: list[str], status: str) -> None:
    order = desk.ordered()
    Booking.objects.update(status=status)
    read_again("simulator", order["supplier"]["reference"])
    assert read == []


def test_an_order_that_is_being_altered_is_read_later(desk: Desk, read: list[str]) -> None:
    order = desk.ordered()
    Operation.objects.update(state="review")
    with pytest.raises(Unavailable):
        read_again("simulator", order["supplier"]["reference"])
    assert read == []
