"""Many settlements: several workers share them, each is made once, and those that fail stop no other."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.bookings.flow import reconcile
from apps.bookings.flow.reconcile import claim_due, settle_owed
from apps.bookings.health import bookings
from apps.bookings.models import Booking, Settlement
from apps.common import clock
from apps.gateway.periodic import ITSELF, Tally
from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from tests.support.api import Api
from tests.support.locks import locked
from tests.support.owed import owe
from tests.support.plans import explained
from tests.support.threads import all_at_once
from tests.transfers.agency import a_partner, an_order, cancel

MoveClock = Callable[..., None]


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


def test_a_run_that_takes_all_that_is_due_at_once_asks_for_no_help(backlog: Callable[[int], None]) -> None:
    backlog(3)
    asked: list[str] = []
    assert settle_owed(batch=4, more_is_due=lambda: asked.append("help")) == 3
    assert asked == []


def test_a_run_begins_no_batch_when_its_time_is_over(backlog: Callable[[int], None]) -> None:
    backlog(25)
    assert settle_owed(batch=10, seconds=0) == 10
    waiting = Settlement.objects.filter(settled_at=None)
    assert (waiting.count(), waiting.filter(next_attempt_at__gt=clock.now()).count()) == (15, 0)


def test_workers_share_what_is_due_and_settle_each_once(backlog: Callable[[int], None]) -> None:
    backlog(60)
    settled: list[int] = []
    all_at_once([lambda: settled.append(settle_owed(batch=5))] * 4)
    assert (len(settled), sum(settled)) == (4, 60)
    assert captured_once() == dict.fromkeys(Hold.objects.values_list("pk", flat=True), 1)
    assert check_ledger() == []


def test_what_one_worker_has_taken_or_is_taking_no_other_takes(backlog: Callable[[int], None]) -> None:
    backlog(6)
    first = claim_due(2)
    second = Settlement.objects.order_by("next_attempt_at").filter(next_attempt_at__lte=clock.now())[:2]
    with locked(Settlement.objects.filter(pk__in=[row.pk for row in second])):
        third = claim_due(10)
    assert len(first) == len(second) == len(third) == 2
    assert not {row.pk for row in first} & {row.pk for row in third}


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
    assert list(tally.outcome.failures) == [ITSELF]
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
        told.append(tally.outcome.why)
    often = f"StillOwed: 1 fail again and again, such as {first.pk}: RuntimeError: no such hold"
    assert told == ["RuntimeError: no such hold", often, often]
    assert (bookings()["status"], bookings()["settlementsFailing"]) == ("degraded", 1)
    failing.clear()
    move_clock(seconds=60)
    tally = Tally()
    assert (settle_owed(tally=tally), tally.outcome.why) == (1, "")
    assert bookings()["settlementsFailing"] == 0


def test_how_late_the_oldest_is_is_told(backlog: Callable[[int], None], move_clock: MoveClock) -> None:
    backlog(1)
    assert (bookings()["status"], bookings()["settlementsLateSeconds"]) == ("ok", 0)
    move_clock(minutes=11)
    told = bookings()
    assert (told["status"], told["settlementsLateSeconds"]) == ("degraded", 660)


def test_one_that_a_cancellation_resolved_after_the_claim_is_left_alone(
    backlog: Callable[[int], None], partners: list[Onboarded]
) -> None:
    backlog(1)
    (claimed,) = claim_due(1)
    answer = cancel(Api(partners[0].test_secret), claimed.booking_id)
    assert answer.status == 200
    before = Booking.objects.values().get()
    assert reconcile.settle_one(claimed) is False
    assert Booking.objects.values().get() == before
    assert (captured_once(), check_ledger()) == (Counter(), [])


def test_rows_of_the_release_before_are_due_at_once(backlog: Callable[[int], None]) -> None:
    backlog(1)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bookings_settlement")
        cursor.execute(
            "INSERT INTO bookings_settlement (operation_id, booking_id, action, amount_cents, hold_id, created_at)"
            " SELECT id, booking_id, 'capture', amount_cents, hold_id, created_at FROM bookings_operation"
        )
    assert settle_owed() == 1
    assert list(captured_once().values()) == [1]


def test_a_worker_of_the_release_before_and_one_of_this_settle_each_once(
    backlog: Callable[[int], None],
) -> None:
    """The former one knows no lease: it takes the oldest."""
    backlog(20)

    def former() -> None:
        for pk in (
            Settlement.objects.filter(settled_at=None).order_by("created_at").values_list("pk", flat=True)
        ):
            reconcile.settle(pk)

    all_at_once([former, settle_owed, former])
    assert captured_once() == dict.fromkeys(Hold.objects.values_list("pk", flat=True), 1)
    assert (Hold.objects.count(), check_ledger()) == (20, [])


@pytest.fixture
def many(backlog: Callable[[int], None]) -> None:
    backlog(3_000)
    due = Settlement.objects.order_by("next_attempt_at").values("pk")[:500]
    Settlement.objects.exclude(pk__in=due).update(settled_at=clock.now())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE bookings_settlement")


@pytest.mark.slow
def test_a_claim_reads_an_index_in_its_order(many: None) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert len(claim_due(20)) == 20
    (statement,) = [query["sql"] for query in captured.captured_queries if "SKIP LOCKED" in query["sql"]]
    with transaction.atomic():
        plan = explained(statement)
    assert "Index Scan using settlement_due" in plan
    assert "Sort" not in plan
