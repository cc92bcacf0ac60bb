"""Accepting what an airline moved: once, in time, and known again after a lost answer."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.flights.details import OrderDetails
from apps.flights.suppliers.base import FlightOrder
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Missing, NotPossible, OutcomeUnknown, Rejected, Unavailable
from tests.flights.desk import Desk, funds, refusal, told, without
from tests.support.api import Reply
from tests.support.scripted_flights import ScriptedFlights

UNAVAILABLE = (503, "upstream_unavailable")
TAKEN = ["accept", "change", "cancel"]
"""What the simulated airline takes of a change that is open."""


@pytest.fixture
def moved(desk: Desk, airline: ScriptedFlights) -> dict[str, Any]:
    """An order whose first flight the airline moved, as the partner reads it."""
    order = desk.ordered(desk.flexible())
    return move(desk, airline, order)


def move(desk: Desk, airline: ScriptedFlights, order: dict[str, Any]) -> dict[str, Any]:
    airline.simulator.move(order["supplier"]["reference"])
    Booking.objects.update(next_news_at=Booking.objects.get(pk=order["id"]).created_at)
    poll_suppliers()
    return desk.read(order["id"])


def accept(
    desk: Desk, order: dict[str, Any], key: str | None = None, place: int = -1, **headers: str
) -> Reply:
    change = order["scheduleChanges"][place]["changeId"]
    return desk.api.post(
        f"/v1/flights/orders/{order['id']}/schedule-changes/{change}/accept", {}, key, **headers
    )


def said(reply: Reply) -> tuple[int, str | None, str]:
    return (*refusal(reply), reply.error["message"])


def test_an_open_change_can_be_accepted_and_costs_nothing(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights, partner: Onboarded
) -> None:
    before, events = funds(partner), told()
    (change,) = moved["scheduleChanges"]
    assert change["availableActions"] == ["accept", "change", "cancel"]
    assert change["respondBy"] is not None
    reply = accept(desk, moved)
    (accepted,) = reply.body["scheduleChanges"]
    assert reply.status == 200
    assert accepted == {
        **change,
        "status": "accepted",
        "acceptedAt": accepted["acceptedAt"],
        "availableActions": [],
    }
    assert accepted["acceptedAt"] >= change["detectedAt"]
    own = ("scheduleChanges", "updatedAt")
    assert without(reply.body, *own) == without(moved, *own)
    assert desk.read(moved["id"]) == reply.body
    assert (funds(partner), told(), airline.calls("accept_change")) == (before, events, 1)
    operation = Operation.objects.latest("id")
    assert (operation.kind, operation.state, operation.hold_id) == ("accept", "confirmed", "")
    assert operation.amount_cents == 0
    assert operation.client_ref.startswith(f"{moved['reference']}-A")


def test_what_another_change_overtook_is_a_conflict(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights
) -> None:
    again = move(desk, airline, moved)
    assert [change["status"] for change in again["scheduleChanges"]] == ["superseded", "open"]
    assert refusal(accept(desk, again, place=0)) == (409, "conflict")
    assert airline.calls("accept_change") == 0
    accepted = accept(desk, again).body["scheduleChanges"]
    assert [(change["status"], change["acceptedAt"] is None) for change in accepted] == [
        ("superseded", True),
        ("accepted", False),
    ]


@pytest.mark.parametrize("days", [8, 400], ids=["after the airline's time", "after the flight"])
def test_what_is_too_late_has_expired(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights, move_clock: Callable[..., None], days: int
) -> None:
    if days > 300:
        booking = Booking.objects.get()
        booking.details["schedule_changes"][0]["respond_by"] = None
        booking.save()
    move_clock(days=days)
    assert refusal(accept(desk, moved)) == (410, "offer_expired")
    assert (airline.calls("accept_change"), Operation.objects.count()) == (0, 1)


def test_an_order_that_is_cancelled_takes_no_acceptance(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights
) -> None:
    assert desk.cancel(moved["id"]).status == 200
    assert said(accept(desk, moved)) == (409, "conflict", "The booking is cancelled.")
    assert airline.calls("accept_change") == 0


def test_what_the_airline_takes_no_answer_to_is_a_conflict(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights
) -> None:
    booking = Booking.objects.get()
    booking.details["schedule_changes"][0]["available_actions"] = ["contact_us"]
    booking.save()
    assert refusal(accept(desk, moved)) == (409, "conflict")
    assert airline.calls("accept_change") == 0


def test_a_change_that_is_unknown_or_anothers_is_not_found(
    desk: Desk, stranger: Desk, moved: dict[str, Any], airline: ScriptedFlights
) -> None:
    unknown = {**moved, "scheduleChanges": [{"changeId": "schedule_unknown"}]}
    assert refusal(accept(desk, unknown)) == (404, "not_found")
    assert refusal(accept(stranger, moved)) == (404, "not_found")
    other = {**desk.ordered(), "scheduleChanges": moved["scheduleChanges"]}
    assert refusal(accept(desk, other)) == (404, "not_found")


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (Rejected(), (502, "upstream_error")),
        (NotPossible("The airline no longer takes an answer."), (409, "conflict")),
        (Missing(), (404, "not_found")),
        (Unavailable(), UNAVAILABLE),
    ],
    ids=str,
)
def test_a_refusal_leaves_it_open_and_it_can_be_tried_again(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights, error: Exception, refused: tuple[int, str]
) -> None:
    airline.spoil("accept_change", error)
    assert refusal(accept(desk, moved)) == refused
    assert desk.read(moved["id"])["scheduleChanges"] == moved["scheduleChanges"]
    assert accept(desk, moved).status == 200
    assert told()[1:] == told()[1:2]  # none but the change itself


@pytest.mark.parametrize("same_key", [True, False], ids=["by the partner", "by the recovery worker"])
def test_a_lost_answer_is_looked_up_and_never_doubled(
    desk: Desk,
    moved: dict[str, Any],
    airline: ScriptedFlights,
    move_clock: Callable[..., None],
    same_key: bool,
    partner: Onboarded,
) -> None:
    before = funds(partner)
    airline.spoil("accept_change", OutcomeUnknown(), accepted=True)
    assert refusal(accept(desk, moved, "lost-answer")) == UNAVAILABLE
    assert refusal(desk.cancel(moved["id"])) == (409, "conflict")  # one operation at a time
    if same_key:
        assert accept(desk, moved, "lost-answer").status == 200
    else:
        move_clock(minutes=1)
        assert recover_due() == 1
    read = desk.read(moved["id"])
    assert [change["status"] for change in read["scheduleChanges"]] == ["accepted"]
    assert (airline.calls("accept_change"), funds(partner)) == (1, before)


def test_one_that_never_arrived_is_given_up_and_told_by_no_event(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    airline.spoil("accept_change", OutcomeUnknown())
    assert refusal(accept(desk, moved, "lost-answer")) == UNAVAILABLE
    events = told()
    for _ in range(4):
        move_clock(minutes=5)
        recover_due()
    assert Operation.objects.latest("id").state == "failed"
    assert desk.read(moved["id"])["scheduleChanges"] == moved["scheduleChanges"]
    assert told() == events
    assert accept(desk, moved, "lost-answer").status == 200


def test_what_the_airline_moved_again_while_it_was_accepted_is_told(
    desk: Desk, moved: dict[str, Any], airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = airline.simulator.accept_change

    def accept_late(client_ref: str, reference: str, change_id: str) -> FlightOrder:
        real(client_ref, reference, change_id)
        return airline.simulator.move(reference)

    monkeypatch.setattr(airline.simulator, "accept_change", accept_late)
    changes = accept(desk, moved).body["scheduleChanges"]
    assert [change["status"] for change in changes] == ["accepted", "open"]
    events = [data for name, data in told() if name == "booking.schedule_changed"]
    assert events == [
        without(change, "status", "acceptedAt") | {"availableActions": TAKEN} for change in changes
    ]
    assert [event["respondBy"] is not None for event in events] == [True, True]
    booking = Booking.objects.get()
    assert booking.watched_until == OrderDetails.of(booking).ends_at


def test_the_sandbox_moves_an_order_when_it_is_asked_to(desk: Desk, airline: ScriptedFlights) -> None:
    reply = desk.order(desk.flexible(), X_Partner_Customer_Ref="sbx_schedule_changed")
    assert (reply.status, reply.headers["X-Sandbox-Trigger"]) == (201, "sbx_schedule_changed")
    assert reply.body["scheduleChanges"] == []
    poll_suppliers()
    order = desk.read(reply.body["id"])
    assert [change["status"] for change in order["scheduleChanges"]] == ["open"]
    assert [name for name, _ in told()] == ["booking.confirmed", "booking.schedule_changed"]
    assert accept(desk, order).status == 200
