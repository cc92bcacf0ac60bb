"""What the reconciliation worker owes is paid once, and told."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.bookings import handlers
from apps.bookings.flow import reconcile
from apps.bookings.flow.reconcile import (
    claim_due,
    put_back,
    settle,
    settle_owed,
    settle_soon,
    settlements_late,
    tell_what_fails,
)
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock
from apps.gateway.periodic import Tally
from apps.ledger.models import LedgerTransaction
from apps.ledger.services.capture import capture
from apps.ledger.services.hold import hold
from apps.ledger.trace import NOTHING, Trace
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks.models import Event
from tests.bookings.books import events, funds, hold_of
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies
from tests.support.scripted_flights import ScriptedFlights

MoveClock = Callable[..., None]


@pytest.fixture
def cheaper(shop: FlightShop, supplier: ScriptedFlights) -> dict[str, int | str]:
    """An order changed to a cheaper flight, whose difference is still owed."""
    order = shop.ordered()
    option = shop.options(order)[0]
    assert shop.change(order["id"], option).status == 200
    return {"id": order["id"], "total": option["newTotalCents"], "owed": -option["differenceCents"]}


def test_a_cheaper_change_is_credited_once_and_then_settled(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, cheaper: dict[str, int]
) -> None:
    before, _ = funds(onboarded)
    assert shop.read(str(cheaper["id"]))["changes"][0]["settled"] is False
    assert (settle_owed(), settle_owed()) == (1, 0)
    assert funds(onboarded) == (before + cheaper["owed"], 0) == (BALANCE_CENTS - cheaper["total"], 0)
    change = shop.read(str(cheaper["id"]))["changes"][0]
    assert change["settled"] is True
    assert change["settledAt"] >= change["createdAt"]
    assert events() == ["booking.confirmed", "payment.refunded"]
    assert f'"refundCents":{cheaper["owed"]}' in Event.objects.get(type="payment.refunded").payload
    assert violations(supplier.report()) == []


def test_a_settlement_that_another_worker_had_first_moves_nothing(
    onboarded: Onboarded, cheaper: dict[str, int]
) -> None:
    owed = Settlement.objects.get()
    assert settle(owed.pk) is True
    after = funds(onboarded)
    assert (settle(owed.pk), funds(onboarded), events().count("payment.refunded")) == (False, after, 1)


def test_a_settlement_that_fails_is_left_whole_and_tried_again(
    onboarded: Onboarded, cheaper: dict[str, int], monkeypatch: pytest.MonkeyPatch, move_clock: MoveClock
) -> None:
    before = funds(onboarded)

    def crash(*args: object, **kwargs: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patched:
        patched.setattr(reconcile, "emit_events", crash)
        assert settle_owed() == 0
    assert (Settlement.objects.get().settled_at, funds(onboarded)) == (None, before)
    move_clock(seconds=11)
    assert settle_owed() == 1
    assert funds(onboarded) == (before[0] + cheaper["owed"], 0)


class Details:
    """A handler that notes in the details what was settled, and when."""

    calls = 0

    def settled(self, booking: Booking, settlement: Settlement) -> dict[str, Any]:
        Details.calls += 1
        assert settlement.operation.booking is booking  # as it was locked
        return {**booking.details, "settled": settlement.action, "at": clock.rfc3339(settlement.settled_at)}


@pytest.fixture
def held(onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch) -> Operation:
    """A confirmed operation with 10.00 EUR held for it."""
    monkeypatch.setattr(handlers, "_handlers", {("flight", "book"): Details()})
    operation = an_operation(
        a_booking(onboarded.test_key, details={"seats": 2}), state="confirmed", request_id="req_1"
    )
    hold(
        hold_id=operation.hold_id,
        account_id=onboarded.account.id,
        environment="test",
        amount_cents=1_000,
        currency="EUR",
        reference="F-22222222",
        trace=NOTHING,
    )
    return operation


def owed(operation: Operation, **columns: Any) -> Settlement:
    return Settlement.objects.create(
        **{
            "operation": operation,
            "booking": operation.booking,
            "action": "capture",
            "amount_cents": 900,
            "hold_id": operation.hold_id,
            **columns,
        }
    )


def test_a_capture_that_is_owed_is_made_and_told_to_nobody(held: Operation, onboarded: Onboarded) -> None:
    long_ago = clock.now() - timedelta(days=1)
    Booking.objects.update(updated_at=long_ago)
    settlement = owed(held)
    assert settle(settlement.pk) is True
    settlement.refresh_from_db()
    assert settlement.settled_at is not None
    booking = Booking.objects.get()
    at = clock.rfc3339(settlement.settled_at)
    assert booking.details == {"seats": 2, "settled": "capture", "at": at}
    assert booking.updated_at == settlement.settled_at
    assert (funds(onboarded), hold_of(held).status) == ((BALANCE_CENTS - 900, 0), "captured")
    step = LedgerTransaction.objects.latest("created_at")
    assert (step.operation_id, step.description) == (held.client_ref, f"Payment for {booking.reference}")
    assert events() == []


def test_a_credit_that_is_owed_is_paid_and_told(held: Operation, onboarded: Onboarded) -> None:
    capture(hold_id=held.hold_id, amount_cents=1_000, trace=Trace(booking_reference=held.booking.reference))
    assert settle(owed(held, action="credit", amount_cents=250, hold_id="").pk) is True
    assert funds(onboarded) == (BALANCE_CENTS - 750, 0)
    step = LedgerTransaction.objects.latest("created_at")
    assert (step.type, step.amount_cents, step.reference) == ("refund", 250, held.client_ref)
    assert step.description == f"Credit for a cheaper change of {held.booking.reference}"
    event = Event.objects.get()
    assert (event.type, event.request_id) == ("payment.refunded", "req_1")
    assert '"currency":"EUR"' in event.payload
    assert '"refundCents":250' in event.payload


def test_how_late_counts_what_is_owed_and_due(held: Operation) -> None:
    now, hour = clock.now(), timedelta(hours=1)
    assert settlements_late(now) == timedelta(0)
    for due, settled_at in ((now + hour, None), (now - 9 * hour, now)):
        owed(an_operation(a_booking(held.booking.key)), next_attempt_at=due, settled_at=settled_at)
    assert settlements_late(now) == timedelta(0)
    for hours in (2, 3, 1):
        owed(an_operation(a_booking(held.booking.key)), next_attempt_at=now - hours * hour)
    assert settlements_late(now) == 3 * hour


def test_what_has_waited_longest_is_claimed_first_and_never_what_is_settled(held: Operation) -> None:
    now = clock.now()
    oldest_last = [
        owed(
            an_operation(a_booking(held.booking.key)),
            next_attempt_at=now - timedelta(hours=hours),
            settled_at=settled_at,
        )
        for hours, settled_at in ((1, None), (2, None), (3, now), (4, None))
    ]
    read_as_the_table_lies()
    claimed = [*claim_due(1), *claim_due(9)]
    assert claimed == [oldest_last[3], oldest_last[1], oldest_last[0]]


def test_the_pauses_after_failures_grow(held: Operation) -> None:
    settlement, pauses = owed(held), []
    for _ in range(7):
        before = clock.now()
        put_back(settlement, RuntimeError("again"))
        settlement.refresh_from_db()
        pauses.append(round((settlement.next_attempt_at - before).total_seconds()))
    assert pauses == [10, 60, 600, 3_600, 21_600, 21_600, 21_600]


def test_a_failure_is_not_noted_of_what_another_worker_has_settled_meanwhile(held: Operation) -> None:
    mine, other = owed(held), owed(an_operation(a_booking(held.booking.key)))
    assert settle(mine.pk) is True
    for settlement in (mine, other):
        put_back(settlement, RuntimeError("the connection is lost"))
    assert dict(Settlement.objects.values_list("pk", "failures")) == {mine.pk: 0, other.pk: 1}


def test_what_failed_once_need_not_wait_for_the_end_of_its_pause(held: Operation) -> None:
    settlement, other = owed(held), owed(an_operation(a_booking(held.booking.key)))
    for failed in (settlement, other):
        put_back(failed, RuntimeError("no such hold"))
    assert settle_owed() == 0
    settle_soon(settlement)
    assert settle_owed() == 1
    other.refresh_from_db()
    assert (other.settled_at, other.failures) == (None, 1)


def test_of_those_that_fail_again_and_again_the_one_that_failed_most_is_told(held: Operation) -> None:
    _, worst, _ = (
        owed(an_operation(a_booking(held.booking.key)), failures=failures, failure=f"{failures} times")
        for failures in (4, 6, 5)
    )
    tally = Tally()
    tell_what_fails(tally)
    assert tally.outcome.why == f"StillOwed: 3 fail again and again, such as {worst.pk}: 6 times"


def test_what_another_settlement_of_the_booking_owes_stays_owed(held: Operation) -> None:
    a_booking(held.booking.key)
    other = owed(an_operation(held.booking, state="confirmed"))
    mine = owed(held)
    assert settle(mine.pk) is True
    assert list(Settlement.objects.filter(settled_at=None)) == [other]


def test_settling_writes_nothing_of_the_booking_but_what_it_settles(
    held: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Careless(Details):
        def settled(self, booking: Booking, settlement: Settlement) -> dict[str, Any]:
            booking.status = "failed"
            return super().settled(booking, settlement)

    monkeypatch.setattr(handlers, "_handlers", {("flight", "book"): Careless()})
    assert settle(owed(held).pk) is True
    assert Booking.objects.get().status == "ticketed"


@pytest.mark.django_db(transaction=True)
def test_a_settlement_waits_for_whoever_alters_the_booking(held: Operation, move_clock: MoveClock) -> None:
    """It goes by what the booking is after that, and takes the wallet last."""
    settlement, before = owed(held), Details.calls
    with locked(Booking.objects.filter(pk=held.booking_id)), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        assert settle_owed() == 0
        cursor.execute("SET lock_timeout = 0")
        settlement.refresh_from_db()
        assert (settlement.settled_at, Details.calls) == (None, before)
    move_clock(seconds=11)
    assert (settle_owed(), Details.calls) == (1, before + 1)


@pytest.mark.django_db(transaction=True)
def test_a_claim_takes_what_is_referred_to_and_what_is_owed_for_a_booking_in_use(held: Operation) -> None:
    settlement = owed(held)
    bookings, settlements = Booking.objects.filter(pk=held.booking_id), Settlement.objects.all()
    with locked(bookings), locked(settlements, "KEY SHARE"):
        assert claim_due(9) == [settlement]
