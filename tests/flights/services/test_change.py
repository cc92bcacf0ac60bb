"""Changing an order: held before the airline is asked where it costs, credited afterwards where it saves."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock
from apps.flights import views
from apps.flights.models import FlightChangeSearch
from apps.flights.suppliers.base import ChangeOption
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, NotPossible, Rejected, SupplierError
from apps.suppliers.results import Found
from apps.suppliers.values import from_json, to_json
from tests.flights.desk import BALANCE_CENTS, Desk, a_partner, desk_of, funds, lines, refusal, told, without
from tests.support.scripted_flights import ScriptedFlights

CONFLICT = (409, "conflict")


def free_of_charge(airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no change costs or saves anything."""
    price = airline.simulator.change_options

    def priced(request: Any) -> Found[ChangeOption]:
        return Found(
            replace(
                option, difference_cents=0, new_total_cents=option.new_total_cents - option.difference_cents
            )
            for option in price(request)
        )

    monkeypatch.setattr(airline.simulator, "change_options", priced)


def test_a_dearer_flight_is_held_before_the_airline_is_asked_and_captured_after(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order = desk.ordered()
    paid, dearer = order["totalCents"], desk.options_of(order)[-1]
    cost = dearer["differenceCents"]
    during: list[tuple[int, int]] = []
    airline.meanwhile("change", lambda: during.append(funds(partner)))
    reply = desk.confirm(order, dearer)
    changed = reply.body["order"]
    (change,) = changed["changes"]
    assert during == [(BALANCE_CENTS - paid - cost, cost)]
    assert (reply.status, without(reply.body, "order")) == (
        200,
        {
            "orderId": order["id"],
            "changeId": dearer["changeId"],
            "status": "ticketed",
            "differenceCents": cost,
            "currency": "EUR",
            "settled": True,
        },
    )
    assert change == {
        "changeId": dearer["changeId"],
        "differenceCents": cost,
        "currency": "EUR",
        "settled": True,
        "settledAt": change["createdAt"],
        "createdAt": change["createdAt"],
    }
    assert (changed["totalCents"], changed["slices"]) == (paid + cost, [dearer["slice"]])
    assert funds(partner) == (BALANCE_CENTS - paid - cost, 0)
    assert lines(partner)[2:] == [("hold", -cost, cost), ("capture", 0, -cost)]
    assert (Settlement.objects.count(), settle_owed()) == (0, 0)
    assert told()[1:] == [
        ("booking.changed", {"changes": ["legs"], "totalCents": paid + cost, "differenceCents": cost})
    ]
    assert desk.read(order["id"]) == changed


def test_a_reissue_brings_new_tickets_and_leaves_the_rest_of_the_order(desk: Desk) -> None:
    order = desk.ordered()
    changed = desk.changed(order, desk.options_of(order)[-1])
    moved = {
        *("slices", "ticketNumbers", "documents", "totalCents", "conditions", "cancellationSteps"),
        *("changes", "updatedAt"),
    }
    assert without(changed, *moved) == without(order, *moved)
    assert changed["updatedAt"] >= order["updatedAt"]
    assert set(changed["ticketNumbers"]).isdisjoint(order["ticketNumbers"])
    assert changed["conditions"]["penaltyCents"] > order["conditions"]["penaltyCents"]


def test_a_cheaper_flight_is_credited_afterwards(desk: Desk, partner: Onboarded) -> None:
    order = desk.ordered()
    paid, cheaper = order["totalCents"], desk.options_of(order)[0]
    saved = -cheaper["differenceCents"]
    reply = desk.confirm(order, cheaper)
    (change,) = reply.body["order"]["changes"]
    assert (reply.body["settled"], reply.body["differenceCents"]) == (False, -saved)
    assert (change["settled"], change["settledAt"]) == (False, None)
    assert reply.body["order"]["totalCents"] == paid - saved
    assert (funds(partner), len(lines(partner))) == ((BALANCE_CENTS - paid, 0), 2)
    changed = {"changes": ["legs"], "totalCents": paid - saved, "differenceCents": -saved}
    assert told()[1:] == [("booking.changed", changed)]
    operation = Operation.objects.latest("id")
    assert (operation.amount_cents, operation.hold_id) == (0, "")

    assert (settle_owed(), settle_owed()) == (1, 0)
    settled_at = Settlement.objects.get().settled_at
    assert settled_at is not None
    order = desk.read(order["id"])
    assert order["changes"] == [{**change, "settled": True, "settledAt": clock.rfc3339(settled_at)}]
    assert without(order, "changes", "updatedAt") == without(reply.body["order"], "changes", "updatedAt")
    assert funds(partner) == (BALANCE_CENTS - paid + saved, 0)
    assert lines(partner)[2:] == [("refund", saved, 0)]
    assert told()[2:] == [("payment.refunded", {"refundCents": saved})]


def test_a_saving_is_at_most_what_was_paid(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An airline that took more for the order than the partner paid may return more."""
    offered = airline.simulator.change_options

    def saving_more_than_was_paid(request: Any) -> Found[ChangeOption]:
        return Found(
            replace(option, difference_cents=-option.new_total_cents - 10**6) for option in offered(request)
        )

    monkeypatch.setattr(airline.simulator, "change_options", saving_more_than_was_paid)
    order = desk.ordered()
    option = desk.options_of(order)[0]
    reply = desk.confirm(order, option)
    assert (reply.status, option["newTotalCents"]) == (200, 0)
    assert reply.body["differenceCents"] == -order["totalCents"]
    assert reply.body["order"]["totalCents"] == 0
    assert settle_owed() == 1
    assert funds(partner) == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(("dearer", "goes"), [(-1, True), (0, True), (1, False)])
def test_a_change_that_is_a_cent_dearer_than_quoted_never_reaches_the_airline(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, dearer: int, goes: bool
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]

    def now(_: str, quoted: ChangeOption) -> ChangeOption:
        return replace(quoted, difference_cents=quoted.difference_cents + dearer)

    monkeypatch.setattr(airline.simulator, "prepare_change", now)
    reply = desk.confirm(order, option)
    assert airline.calls("change") == goes
    if goes:
        assert reply.body["differenceCents"] == option["differenceCents"] + dearer
    else:
        assert refusal(reply) == (409, "price_changed")
        assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (
            option["newTotalCents"],
            option["newTotalCents"] + dearer,
        )


def test_a_change_that_costs_nothing_moves_nothing(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    free_of_charge(airline, monkeypatch)
    order = desk.ordered()
    reply = desk.confirm(order, desk.options_of(order)[0])
    (change,) = reply.body["order"]["changes"]
    assert (reply.body["differenceCents"], reply.body["settled"]) == (0, True)
    assert change["settledAt"] == change["createdAt"]
    assert reply.body["order"]["totalCents"] == order["totalCents"]
    assert reply.body["order"]["slices"] != order["slices"]
    assert (len(lines(partner)), settle_owed(), Operation.objects.latest("id").hold_id) == (2, 0, "")
    assert funds(partner) == (BALANCE_CENTS - order["totalCents"], 0)


@pytest.mark.parametrize("later", [0, 25])
def test_a_change_is_confirmed_once_however_late_it_is_tried_again(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, move_clock: Callable[..., None], later: int
) -> None:
    order = desk.ordered()
    dearer = desk.options_of(order)[-1]
    changed = desk.changed(order, dearer)
    after = funds(partner)
    move_clock(minutes=later)
    again = desk.confirm(order, dearer)
    assert (refusal(again), again.error["message"]) == (CONFLICT, "This change was already confirmed.")
    assert (airline.calls("change"), Operation.objects.count(), funds(partner)) == (1, 2, after)
    assert desk.read(order["id"]) == changed


def test_of_two_credits_owed_each_is_settled_by_itself(desk: Desk, partner: Onboarded) -> None:
    order = desk.ordered()
    paid, cheaper = order["totalCents"], desk.options_of(order)[0]
    order = desk.changed(order, cheaper)
    cheapest = desk.options_of(order)[0]
    order = desk.changed(order, cheapest)
    assert [change["settled"] for change in order["changes"]] == [False, False]
    for settled, owed in (([True, False], cheaper), ([True, True], cheapest)):
        assert settle_owed(batch=1, seconds=0) == 1
        paid += owed["differenceCents"]
        assert [change["settled"] for change in desk.read(order["id"])["changes"]] == settled
        assert funds(partner) == (BALANCE_CENTS - paid, 0)
    assert paid == order["totalCents"]


def test_a_change_that_was_to_cost_and_saves_by_now_frees_its_hold_and_is_credited(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    paid, dearer = order["totalCents"], desk.options_of(order)[-1]
    monkeypatch.setattr(
        airline.simulator, "prepare_change", lambda _, quoted: replace(quoted, difference_cents=-300)
    )
    reply = desk.confirm(order, dearer)
    assert (reply.status, reply.body["differenceCents"], reply.body["settled"]) == (200, -300, False)
    assert funds(partner) == (BALANCE_CENTS - paid, 0)
    assert settle_owed() == 1
    assert funds(partner) == (BALANCE_CENTS - paid + 300, 0)


EXPIRED = (410, "offer_expired")


def test_an_option_for_what_the_order_no_longer_is_has_expired(desk: Desk, partner: Onboarded) -> None:
    order = desk.ordered()
    first, *_, last = desk.options_of(order)
    changed = desk.changed(order, last)
    after = funds(partner)
    assert refusal(desk.confirm(order, first)) == EXPIRED
    assert (desk.read(order["id"]), funds(partner)) == (changed, after)


@pytest.mark.parametrize(("past", "status"), [(timedelta(seconds=-1), 200), (timedelta(seconds=1), 410)])
@pytest.mark.parametrize("minutes", [5, 20], ids=["the airline's end", "ours"])
def test_an_option_can_be_confirmed_to_the_second_it_ends(
    desk: Desk, airline: ScriptedFlights, at: Callable[..., None], minutes: int, past: timedelta, status: int
) -> None:
    order = desk.ordered()
    dearer = desk.options_of(order)[-1]
    row = FlightChangeSearch.objects.get()
    ends = row.created_at + timedelta(minutes=minutes)
    row.options = to_json(
        [replace(from_json(ChangeOption, option), expires_at=ends) for option in row.options]
    )
    row.save()
    at(ends + past)
    assert desk.confirm(order, dearer).status == status
    assert airline.calls("change") == (status == 200)


def test_an_option_of_another_order_or_of_nobody_is_expired(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order, other = desk.ordered(), desk.ordered()
    option = desk.options_of(other)[-1]
    before = funds(partner)
    offer = desk.offer()["offerId"]
    for change_id in (option["changeId"], "change_unknown", offer, offer.replace("offer_", "change_")):
        assert refusal(desk.confirm(order, {"changeId": change_id})) == EXPIRED
    assert (airline.calls("change"), funds(partner)) == (0, before)
    assert desk.confirm(other, option).status == 200


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_an_order_that_is_not_ticketed_is_not_changed(
    desk: Desk, airline: ScriptedFlights, status: str
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    Booking.objects.update(status=status)
    assert refusal(desk.confirm(order, option)) == CONFLICT
    assert (airline.calls("change"), Operation.objects.count()) == (0, 1)


def test_a_change_that_was_confirmed_since_the_order_was_read_is_not_made_again(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    read, changed = views.booking_of, list[dict[str, Any]]()  # type: ignore[attr-defined]

    def slowly(*names: object) -> Booking:
        booking: Booking = read(*names)
        if not changed:
            changed.append({})
            changed.append(desk.changed(order, option))
        return booking

    monkeypatch.setattr(views, "booking_of", slowly)
    again = desk.confirm(order, option)
    assert (refusal(again), again.error["message"]) == (CONFLICT, "This change was already confirmed.")
    assert (airline.calls("change"), desk.read(order["id"])) == (1, changed[-1])


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
@pytest.mark.parametrize(
    ("error", "refused"),
    [(Rejected, (502, "upstream_error")), (Expired, EXPIRED), (NotPossible, CONFLICT)],
)
def test_a_change_that_the_airline_refuses_leaves_the_order_and_the_money(
    desk: Desk,
    airline: ScriptedFlights,
    partner: Onboarded,
    which: int,
    error: type[SupplierError],
    refused: tuple[int, str],
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[which]
    airline.spoil("change", error())
    assert refusal(desk.confirm(order, option)) == refused
    assert (desk.read(order["id"]), settle_owed()) == (order, 0)
    assert funds(partner) == (BALANCE_CENTS - order["totalCents"], 0)
    assert desk.changed(order, option)["totalCents"] == option["newTotalCents"]


def test_a_cost_that_is_not_covered_keeps_the_airline_out_of_it(db: None, airline: ScriptedFlights) -> None:
    quote = desk_of(a_partner().test_secret).flexible()["totalCents"]
    poor = a_partner(balance_cents=quote + 1)
    desk = desk_of(poor.test_secret)
    order = desk.ordered(desk.flexible())
    cheaper, *_, dearer = desk.options_of(order)
    reply = desk.confirm(order, dearer)
    assert refusal(reply) == (402, "insufficient_funds")
    assert without(reply.error, "type", "message", "requestId") == {
        "availableCents": 1,
        "requiredCents": dearer["differenceCents"],
        "currency": "EUR",
    }
    assert (airline.calls("change"), funds(poor), desk.read(order["id"])) == (0, (1, 0), order)
    assert desk.confirm(order, cheaper).status == 200
