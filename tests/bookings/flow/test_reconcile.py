"""What the reconciliation worker owes is paid once, and told."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from apps.bookings import handlers
from apps.bookings.flow import reconcile
from apps.bookings.flow.reconcile import claim_due, put_back, settle_owed
from apps.bookings.health import bookings
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.money import NOTHING, hold
from apps.onboarding.partners import Onboarded
from apps.webhooks.models import Event
from tests.bookings.books import events, funds
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking, an_operation
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.locks import locked
from tests.support.owed import owe
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once
from tests.transfers.agency import a_partner, an_order

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
    assert events() == ["booking.confirmed", "booking.changed", "payment.refunded"]
    assert f'"refundCents":{cheaper["owed"]}' in Event.objects.get(type="payment.refunded").payload
    assert violations(supplier.report()) == []


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


def test_the_pauses_after_failures_grow(held: Operation) -> None:
    settlement, pauses = owed(held), []
    for _ in range(7):
        before = clock.now()
        put_back(settlement, RuntimeError("again"))
        settlement.refresh_from_db()
        pauses.append(round((settlement.next_attempt_at - before).total_seconds()))
    assert pauses == [10, 60, 600, 3_600, 21_600, 21_600, 21_600]


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


@pytest.fixture
def partners(transactional_db: None) -> list[Onboarded]:
    return [a_partner(balance_cents=100_000_000) for _ in range(3)]


@pytest.fixture
def backlog(partners: list[Onboarded]) -> Callable[[int], None]:
    """`backlog(n)`: so many settlements are due, of three partners; one of them has an order that was really made."""

    def make(count: int) -> None:
        an_order(Api(partners[0].test_secret))
        accounts = [partner.account.pk for partner in partners]
        wallets = Wallet.objects.filter(account_id__in=accounts, environment="test").order_by("pk")
        with transaction.atomic(), connection.cursor() as cursor:
            model = Settlement.objects.get()
            owe(cursor, model=model.pk, wallets=[*wallets.values_list("pk", flat=True)], count=count - 1)

    return make


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Whose settlement is put in here, fails."""
    broken: set[int] = set()
    real = reconcile.move

    def move(settlement: Settlement, booking: Booking) -> None:
        if settlement.pk in broken:
            raise RuntimeError("no such hold")
        real(settlement, booking)

    monkeypatch.setattr(reconcile, "move", move)
    return broken


def captured_once() -> Counter[str]:
    return Counter(LedgerTransaction.objects.filter(type="capture").values_list("hold_id", flat=True))


def test_a_run_goes_on_in_batches_until_nothing_is_due(backlog: Callable[[int], None]) -> None:
    backlog(25)
    asked: list[str] = []
    assert settle_owed(batch=10, more_is_due=lambda: asked.append("help")) == 25
    assert asked == ["help"]
    assert set(captured_once().values()) == {1}
    assert (Settlement.objects.filter(settled_at=None).count(), check_ledger()) == (0, [])
    assert settle_owed(more_is_due=lambda: asked.append("again")) == 0
    assert asked == ["help"]


def test_workers_share_what_is_due_and_settle_each_once(backlog: Callable[[int], None]) -> None:
    backlog(60)
    settled: list[int] = []
    all_at_once([lambda: settled.append(settle_owed(batch=5))] * 4)
    assert (len(settled), sum(settled)) == (4, 60)
    assert captured_once() == dict.fromkeys(Hold.objects.values_list("pk", flat=True), 1)
    assert check_ledger() == []


def test_what_a_dead_worker_had_taken_is_settled_after_its_lease(
    backlog: Callable[[int], None], clock_stands_still: datetime, move_clock: MoveClock
) -> None:
    backlog(4)
    assert len(claim_due(4)) == 4
    assert settle_owed() == 0
    move_clock(seconds=59)
    assert settle_owed() == 0
    move_clock(seconds=1)
    assert settle_owed() == 4


def test_a_worker_stops_when_its_lease_ends(
    backlog: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    backlog(4)
    with monkeypatch.context() as patched:
        patched.setattr(reconcile, "LEASE", timedelta(0))
        assert settle_owed(seconds=0) == 0
    assert settle_owed() == 4


def test_a_hundred_that_fail_for_ever_stop_no_other(
    backlog: Callable[[int], None], failing: set[int], move_clock: MoveClock
) -> None:
    backlog(130)
    failing |= set(Settlement.objects.order_by("next_attempt_at").values_list("pk", flat=True)[:100])
    tally = Tally()
    assert settle_owed(tally=tally) == 30
    assert list(tally.failures) == [ITSELF]
    assert set(Settlement.objects.filter(settled_at=None).values_list("failures", "failure")) == {
        (1, "RuntimeError: no such hold")
    }
    failing.clear()
    move_clock(seconds=11)
    assert settle_owed() == 100
    assert (set(captured_once().values()), check_ledger()) == ({1}, [])


def test_one_that_fails_again_and_again_is_told_with_every_run_until_it_is_settled(
    backlog: Callable[[int], None], failing: set[int], move_clock: MoveClock
) -> None:
    backlog(2)
    first = Settlement.objects.order_by("next_attempt_at")[0]
    failing.add(first.pk)
    told: list[str] = []
    for seconds in (0, 11, 1):
        move_clock(seconds=seconds)
        tally = Tally()
        settle_owed(tally=tally)
        told.append(tally.why)
    often = f"StillOwed: 1 fail again and again, such as {first.pk}: RuntimeError: no such hold"
    assert told == ["RuntimeError: no such hold", often, often]
    assert (bookings()["status"], bookings()["settlementsFailing"]) == ("degraded", 1)
    failing.clear()
    move_clock(seconds=60)
    tally = Tally()
    assert (settle_owed(tally=tally), tally.why) == (1, "")
    assert bookings()["settlementsFailing"] == 0


@pytest.fixture
def many(backlog: Callable[[int], None]) -> None:
    backlog(3_000)
    due = Settlement.objects.order_by("next_attempt_at").values("pk")[:500]
    Settlement.objects.exclude(pk__in=due).update(settled_at=clock.now())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE bookings_settlement")
