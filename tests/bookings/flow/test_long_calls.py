"""A supplier that takes longer than a request waits: the call goes on, settles by itself, and is never made twice."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from subprocess import PIPE
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction

from apps.bookings.flow import call, recover
from apps.bookings.flow.lease import LeaseKeeper
from apps.bookings.flow.recover import claim_due, find, recover_due
from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.suppliers import registry
from apps.flights.suppliers.simulator.vendor import flight_simulator
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected
from apps.suppliers.http import at_most
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.registry import InsideTransaction
from apps.suppliers.vendors import Lookups, Vendor
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support import stack
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.programs import PythonProgram
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db(transaction=True)
MoveClock = Callable[..., None]
KEY = "order-of-long-breath"


@pytest.fixture
def real(supplier: ScriptedFlights, monkeypatch: pytest.MonkeyPatch, settings: Any) -> ScriptedFlights:
    """The airline under another name than the simulator's, with look-up times of its own."""
    monkeypatch.setattr("apps.flights.services.search.supplier_name", lambda *product: "acme")
    lookups = Lookups(at=(30, 120), give_up_after=3600)
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", lambda: supplier, lookups=lookups))
    settings.SUPPLIER_CALL_SECONDS = 20
    return supplier


@pytest.fixture(autouse=True)
def calls_end_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Before what a test replaced is put back: a call gives its place back a moment after its request was answered."""
    yield
    wait_until(lambda: not at_work())


class Slow:
    """The airline's next booking waits for `answer`."""

    def __init__(self, shop: FlightShop, real: ScriptedFlights, settings: Any) -> None:
        self.shop, self._settings = shop, settings
        self._answers = threading.Event()
        real.meanwhile("book", lambda: self._answers.wait(60) and None)
        self.offer = shop.offer()

    def order(self) -> Any:
        """The partner's request, which does not wait for long."""
        self._settings.SUPPLIER_CALL_SECONDS = 0.05
        return self.shop.order(self.offer, KEY)

    def answer(self) -> None:
        """Let the supplier answer, and wait until that is written down."""
        self._answers.set()
        wait_until(lambda: not at_work())


@pytest.fixture
def slow(shop: FlightShop, real: ScriptedFlights, settings: Any) -> Any:
    supplier = Slow(shop, real, settings)
    yield supplier
    supplier.answer()


@pytest.fixture
def kept(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> Slow:
    """Whose order returns once its keeper has renewed the lease: else that comes later, and by the clock of then."""
    renewed = threading.Event()
    real, order = LeaseKeeper.renew, slow.order

    def order_and_wait() -> Any:
        reply = order()
        assert renewed.wait(20)
        return reply

    monkeypatch.setattr(LeaseKeeper, "renew", lambda keeper: (real(keeper), renewed.set())[0])
    monkeypatch.setattr(slow, "order", order_and_wait)
    return slow


def wait_until(condition: Callable[[], bool]) -> None:
    """For at most a minute: what does not come true by then fails the test instead of hanging it."""
    gives_up = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < gives_up
        time.sleep(0.01)


def at_work() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith(("call ", "lease "))]


def test_a_late_answer_is_written_down_without_the_request(
    slow: Slow, real: ScriptedFlights, onboarded: Onboarded
) -> None:
    reply = slow.order()
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert "not finished yet" in reply.body["error"]["message"]
    operation = latest()
    assert (operation.state, operation.booking.status, hold_of(operation).status) == (
        "calling",
        "pending",
        "open",
    )
    again = slow.order()
    assert (again.status, again.error_type) == (409, "idempotency_key_in_progress")

    slow.answer()
    operation = latest()
    total = operation.booking.total_cents
    assert (operation.state, operation.booking.status) == ("confirmed", "ticketed")
    assert (funds(onboarded), events()) == ((BALANCE_CENTS - total, 0), ["booking.confirmed"])
    final = slow.order()
    assert (final.status, final.body["id"], final.body["status"]) == (201, operation.booking.id, "ticketed")
    replayed = slow.order()
    assert (replayed.status, replayed.body) == (201, final.body)
    assert (real.calls("book"), Booking.objects.count()) == (1, 1)
    assert violations(real.report()) == []


def test_a_late_refusal_frees_the_funds_and_the_key_begins_anew(
    slow: Slow, real: ScriptedFlights, onboarded: Onboarded
) -> None:
    real.spoil("book", Rejected())
    assert slow.order().status == 503
    slow.answer()
    assert (latest().state, latest().failure, latest().booking.status) == ("failed", "Rejected", "failed")
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    slow._settings.SUPPLIER_CALL_SECONDS = 20
    assert slow.shop.order(slow.offer, KEY).status == 201


def test_a_late_unknown_end_is_left_to_recovery(
    slow: Slow, real: ScriptedFlights, move_clock: MoveClock
) -> None:
    real.spoil("book", OutcomeUnknown(), accepted=True)
    assert slow.order().status == 503
    slow.answer()
    assert (latest().state, hold_of(latest()).status) == ("uncertain", "open")
    move_clock(seconds=31)
    assert recover_due() == 1
    assert latest().state == "confirmed"
    assert violations(real.report()) == []


def test_what_is_late_accepted_stays_pending(slow: Slow, real: ScriptedFlights) -> None:
    real.spoil("book", Accepted("their-1"))
    assert slow.order().status == 503
    slow.answer()
    assert (latest().state, latest().booking.status) == ("uncertain", "pending")
    assert latest().booking.supplier_reference == "their-1"


@pytest.mark.usefixtures("still_clock")
def test_a_kept_lease_holds_recovery_off(kept: Slow, move_clock: MoveClock) -> None:
    kept.order()
    own = LeaseKeeper(latest(), at_once=True, daemon=True)
    for _ in range(5):
        move_clock(seconds=30)
        assert own.renew()
        assert recover_due() == 0
    operation = latest()  # once: its keeper may renew it between two reads
    assert (operation.lease_until - clock.now()).total_seconds() == pytest.approx(45, abs=1)
    assert operation.next_attempt_at == operation.lease_until


def test_a_process_that_is_told_to_stop_waits_for_the_call(slow: Slow) -> None:
    """The web server's threads are daemons; the call's and its keeper's are not."""
    request = threading.Thread(target=lambda: (slow.order(), connection.close()), daemon=True)
    request.start()
    request.join()
    working = {one.name.split()[0]: one.daemon for one in threading.enumerate() if one.name in at_work()}
    assert working == {"call": False, "lease": False}


def test_a_process_that_stood_still_loses_the_operation_and_nothing_is_doubled(
    kept: Slow, real: ScriptedFlights, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    kept.order()
    own = LeaseKeeper(latest(), at_once=True, daemon=True)
    move_clock(seconds=46)
    assert not own.renew()
    assert recover_due() == 1
    assert latest().state == "uncertain"
    kept.answer()
    assert (latest().state, events()) == ("uncertain", [])
    move_clock(seconds=120)
    assert recover_due() == 1
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
    assert funds(onboarded) == (BALANCE_CENTS - latest().booking.total_cents, 0)
    assert violations(real.report()) == []


def test_without_a_place_nothing_is_called(
    shop: FlightShop, real: ScriptedFlights, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "_places", threading.BoundedSemaphore(1))
    with call._places:
        assert shop.order(shop.offer()).status == 503
    assert (latest().state, latest().failure, real.calls("book")) == ("failed", "Unavailable", 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert shop.order(shop.offer()).status == 201


def test_a_long_call_refuses_to_begin_inside_a_transaction() -> None:
    with transaction.atomic(), pytest.raises(InsideTransaction):
        call.within_wait(Operation(), pytest.fail, settle=pytest.fail)


def others_connected() -> int:
    """A server process that is at a statement of a client's ends with that, although the client is dead."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.slow
def test_after_kill_9_recovery_finds_what_was_bought(
    onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch, move_clock: MoveClock
) -> None:
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", flight_simulator))
    environment = {"DATABASE_URL": stack.test_database_url(), "SUPPLIER_CALL_SECONDS": "2"}
    child = PythonProgram(
        ["-m", "tests.bookings.slow_supplier", onboarded.test_secret, KEY],
        {**os.environ, **stack.variables(environment), "ALLOWED_HOSTS": "testserver"},
        stdout=PIPE,
    )
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "503\n"
    finally:
        child.end()  # kill -9
    wait_until(lambda: not others_connected())
    assert (latest().state, SimulatedWrite.objects.count()) == ("calling", 1)
    move_clock(seconds=50)
    assert recover_due() == 1
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
    assert (Booking.objects.get().status, SimulatedWrite.objects.count()) == ("ticketed", 1)
    assert funds(onboarded) == (BALANCE_CENTS - latest().booking.total_cents, 0)


LEASE = 45


@pytest.fixture
def unheard(shop: FlightShop, supplier: ScriptedFlights, settings: Any, move_clock: MoveClock) -> Operation:
    """An order that the supplier accepted, though nobody here knows; it is time to look."""
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    assert shop.order(shop.offer()).status == 503
    settings.OPERATION_LEASE_SECONDS = LEASE
    move_clock(seconds=11)
    return latest()


def lookers() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith("lease ")]


def test_a_look_that_takes_longer_than_a_lease_settles_and_nobody_else_looks(
    unheard: Operation, supplier: ScriptedFlights, move_clock: MoveClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[Operation] = []
    renewals = threading.Semaphore(0)
    renew = LeaseKeeper.renew

    class Brisk(threading.Event):
        """Lets a keeper renew again and again."""

        def wait(self, timeout: float | None = None) -> bool:
            return super().wait(0.01)

    class Keeper(LeaseKeeper):
        def __init__(self, operation: Operation, **how: bool) -> None:
            super().__init__(operation, **how)
            self._over = Brisk()

    def take_long() -> None:
        for _ in range(3):
            move_clock(seconds=LEASE * 2 / 3)
            others.extend(claim_due(10))
            for _ in range(2):  # the first may have begun before the clock was moved
                assert renewals.acquire(timeout=60)

    monkeypatch.setattr(recover, "LeaseKeeper", Keeper)
    monkeypatch.setattr(LeaseKeeper, "renew", lambda keeper: (renew(keeper), renewals.release())[0])
    supplier.meanwhile("find_order", take_long)
    assert recover_due() == 1
    assert others == []
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
    assert violations(supplier.report()) == []
    assert lookers() == []


def test_a_partners_retry_keeps_no_lease_and_asks_no_longer_than_it_lasts(
    unheard: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[list[str], float]] = []
    handler = SimpleNamespace(find=lambda operation: seen.append((lookers(), at_most(10_000))))
    monkeypatch.setattr(recover, "handler_for", lambda operation: handler)
    unheard.lease_until = clock.now() + timedelta(seconds=10)
    find(unheard, patiently=False)
    find(unheard, patiently=True)
    assert [names for names, _ in seen] == [[], [f"lease {unheard.client_ref}"]]
    hasty, patient = (seconds for _, seconds in seen)
    assert 5 < hasty <= 9
    assert 500 < patient <= 600
