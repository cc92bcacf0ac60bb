"""What an airline changes by itself, through Duffel: heard of, read, told once, accepted once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import NotPossible, OutcomeUnknown
from apps.suppliers.models import SupplierAlert, SupplierEvent
from tests.flights.desk import Desk, refusal, told
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.support.supplier_stub import Trouble
from tests.support.supplier_stub import refusal as answer

DETECTED = "order.airline_initiated_change_detected"
UNAVAILABLE = (503, "upstream_unavailable")


def moved(seller: Desk, stub: DuffelStub, **more: Any) -> dict[str, Any]:
    """An order that its airline moved and announced, as the partner reads it."""
    order = seller.ordered()
    announce(stub, stub.change_by_airline(order["supplier"]["reference"], **more))
    return seller.read(order["id"])


def announce(stub: DuffelStub, change: dict[str, Any], *, follow: bool = True) -> None:
    headers, body = stub.webhook(DETECTED, stub.announced(change))
    for _ in range(2):  # each of theirs may come twice
        sent = Client().post(
            "/suppliers/duffel/webhooks", body, content_type="application/json", headers=headers
        )
        assert sent.status_code == 200
    if follow:
        follow_hints()


def accept(seller: Desk, order: dict[str, Any], key: str | None = None) -> Any:
    change = order["scheduleChanges"][-1]["changeId"]
    return seller.api.post(f"/v1/flights/orders/{order['id']}/schedule-changes/{change}/accept", {}, key)


def changes_told() -> list[dict[str, Any]]:
    return [data for name, data in told() if name == "booking.schedule_changed"]


@pytest.mark.parametrize("at_once", [True, False], ids=["shown at once", "shown once accepted"])
def test_their_word_is_enough_to_be_told_and_the_polls_tell_nothing_more(
    seller: Desk, at_duffel: DuffelStub, move_clock: Callable[..., None], at_once: bool
) -> None:
    at_duffel.shown_at_once = at_once
    order = moved(seller, at_duffel)
    (event,) = changes_told()
    (change,) = order["scheduleChanges"]
    assert {**change, **event} == change
    assert (event["availableActions"], event["respondBy"]) == (["accept", "cancel"], None)
    assert (event["after"], order["slices"]) == (order["slices"], event["after"])
    (was,), (now,) = event["before"], event["after"]
    assert (was["sliceId"], was["departureAt"] < now["departureAt"]) == (now["sliceId"], True)
    for _ in range(2):
        move_clock(days=1, minutes=1)
        poll_suppliers()
    assert (changes_told(), seller.read(order["id"])) == ([event], order)
    accepted = accept(seller, order)
    assert (accepted.status, accepted.body["scheduleChanges"][0]["status"]) == (200, "accepted")
    assert accepted.body["slices"] == order["slices"]
    move_clock(days=1, minutes=1)
    poll_suppliers()
    assert (changes_told(), seller.read(order["id"])) == ([event], accepted.body)


def test_a_word_that_cannot_be_followed_yet_is_followed_later(seller: Desk, at_duffel: DuffelStub) -> None:
    order = seller.ordered()
    at_duffel.trouble("GET", paths.ORDER, answer(503, times=3))
    announce(at_duffel, at_duffel.change_by_airline(order["supplier"]["reference"]))
    assert (changes_told(), SupplierEvent.objects.get().handled_at) == ([], None)
    at_duffel.calm()
    follow_hints()
    assert len(changes_told()) == 1
    assert SupplierEvent.objects.get().handled_at is not None


def test_what_can_no_longer_be_accepted_is_a_conflict_and_read_anew(
    seller: Desk, at_duffel: DuffelStub
) -> None:
    order = moved(seller, at_duffel)
    (change,) = at_duffel.airline_changes.values()
    change |= {"action_taken": "changed"}
    reply = accept(seller, order)
    assert (refusal(reply), reply.error["message"]) == (
        (409, "conflict"),
        "The airline no longer accepts a response to this change.",
    )
    poll_suppliers()
    assert seller.read(order["id"])["scheduleChanges"][0]["status"] == "superseded"


@pytest.mark.parametrize("end", ["hang", "reset"])
def test_a_lost_answer_is_found_by_reading_the_change(
    seller: Desk,
    at_duffel: DuffelStub,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    end: Any,
) -> None:
    from apps.flights.suppliers.duffel import client
    from apps.suppliers.http import Limits

    monkeypatch.setattr(client, "BOOKING", Limits(read=0.3))
    order = moved(seller, at_duffel)
    at_duffel.trouble("POST", paths.ACCEPT_AIRLINE_CHANGE, Trouble(end=end))
    assert refusal(accept(seller, order, "lost-answer")) == UNAVAILABLE
    at_duffel.await_heard("POST", paths.ACCEPT_AIRLINE_CHANGE)
    move_clock(minutes=1)
    recover_due()
    assert seller.read(order["id"])["scheduleChanges"][0]["status"] == "accepted"
    assert accept(seller, order, "lost-answer").status == 200
    assert len(at_duffel.heard_by("POST", paths.ACCEPT_AIRLINE_CHANGE)) == 1
    assert len(changes_told()) == 1


def test_a_change_that_duffel_does_not_know_cannot_be_accepted(duffel: DuffelFlights) -> None:
    with pytest.raises(NotPossible):
        duffel.accept_change("F-1-A1", "ord_1", "aic_1")
    assert duffel.find_acceptance("F-1-A1", "ord_1", "aic_1") is None


@pytest.mark.parametrize(
    "spoilt",
    [
        {"removed": None},
        {"added": "none"},
        {"id": None, "added": [{}]},
        {"available_actions": None},
        {"action_taken": "something new"},
    ],
    ids=str,
)
def test_a_change_that_cannot_be_read_is_told_by_the_slices(
    seller: Desk, at_duffel: DuffelStub, spoilt: dict[str, Any]
) -> None:
    order = seller.ordered()
    change = at_duffel.change_by_airline(order["supplier"]["reference"])
    change |= spoilt
    announce(at_duffel, {**change, "id": "aic_1"})
    assert len(changes_told()) == 1
    assert (
        Booking.objects.get().details["slices"][0]["leg"]["departure_at"] > order["slices"][0]["departureAt"]
    )


def test_an_answer_that_says_nothing_of_an_acceptance_is_unknown(
    duffel: DuffelFlights, stub: DuffelStub
) -> None:
    stub.trouble("POST", paths.ACCEPT_AIRLINE_CHANGE, answer(200, {"data": {"action_taken": None}}))
    with pytest.raises(OutcomeUnknown):
        duffel.accept_change("F-1-A1", "ord_1", "aic_1")


@pytest.mark.parametrize("at_once", [True, False], ids=["shown at once", "shown once accepted"])
def test_of_two_changes_the_newest_wins(seller: Desk, at_duffel: DuffelStub, at_once: bool) -> None:
    at_duffel.shown_at_once = at_once
    order = moved(seller, at_duffel)
    reference = order["supplier"]["reference"]
    announce(at_duffel, at_duffel.change_by_airline(reference))
    order = seller.read(order["id"])
    assert [change["status"] for change in order["scheduleChanges"]] == ["superseded", "open"]
    accepted = accept(seller, order)
    assert (accepted.status, accepted.body["scheduleChanges"][-1]["status"]) == (200, "accepted")
    first, second = at_duffel.airline_changes.values()
    assert (first["action_taken"], second["action_taken"]) == (None, "accepted")
    assert accepted.body["slices"] == order["slices"]


def test_an_older_change_can_no_longer_be_accepted(seller: Desk, at_duffel: DuffelStub) -> None:
    """Theirs is the word, where a newer one came meanwhile: the order is polled soon, and shows it."""
    order = moved(seller, at_duffel)
    at_duffel.change_by_airline(order["supplier"]["reference"])
    reply = accept(seller, order)
    assert (refusal(reply), reply.error["message"]) == (
        (409, "conflict"),
        "The airline no longer accepts a response to this change.",
    )
    poll_suppliers()
    statuses = [change["status"] for change in seller.read(order["id"])["scheduleChanges"]]
    assert statuses == ["superseded", "open"]


@pytest.mark.parametrize("ticket", [None, {}, {"id": "tat_1", "external_ticket_id": "4711"}], ids=str)
def test_a_case_that_their_agents_work_on_can_be_answered_all_the_same(
    seller: Desk, at_duffel: DuffelStub, ticket: Any
) -> None:
    order = moved(seller, at_duffel)
    (change,) = at_duffel.airline_changes.values()
    change |= {"travel_agent_ticket": ticket}
    assert accept(seller, order).body["scheduleChanges"][0]["status"] == "accepted"


def test_flights_that_are_taken_away_without_others_are_told_to_staff(
    seller: Desk, at_duffel: DuffelStub
) -> None:
    order = seller.ordered()
    at_duffel.shown_at_once = False
    change = at_duffel.change_by_airline(order["supplier"]["reference"])
    change["added"] = []
    for _ in range(2):
        announce(at_duffel, change)
    (alert,) = SupplierAlert.objects.all()
    assert (alert.kind, alert.count) == ("unknown_answer", 2), "At each reading"
    assert alert.detail == f"{order['supplier']['reference']}: {change['id']} removes flights and adds none"
    assert seller.read(order["id"])["slices"] == order["slices"]
