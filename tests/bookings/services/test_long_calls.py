"""A supplier that takes longer than a request waits: the call goes on, settles by itself, and is never made twice."""

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from subprocess import PIPE
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import InterfaceError, connection, transaction

from apps.bookings.flow import call, lease
from apps.bookings.flow.lease import Lease
from apps.bookings.flow.recover import recover_due
from apps.bookings.handlers import Accepted
from apps.bookings.models import Booking, Operation
from apps.common import clock, logs, tracing
from apps.flights.suppliers import registry
from apps.flights.suppliers.simulator.vendor import flight_simulator
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Rejected
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.registry import InsideTransaction
from apps.suppliers.vendors import Lookups, Vendor
from tests.bookings.books import events, funds, hold_of, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.support import stack
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.programs import PythonProgram
from tests.support.recorded import recording
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
    real, order = lease.renewed, slow.order

    def order_and_wait() -> Any:
        reply = order()
        assert renewed.wait(20)
        return reply

    monkeypatch.setattr(lease, "renewed", lambda lease: (real(lease), renewed.set())[0])
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


def test_an_answer_within_the_wait_is_the_requests(
    shop: FlightShop, real: ScriptedFlights, onboarded: Onboarded
) -> None:
    reply = shop.order(shop.offer(), KEY)
    assert (reply.status, reply.body["status"]) == (201, "ticketed")
    assert shop.order(shop.offer(), "another-order").status == 201
    assert (real.calls("book"), events()) == (2, ["booking.confirmed"] * 2)
    wait_until(lambda: not at_work())


def test_what_is_asked_of_the_supplier_belongs_to_the_trace_of_the_request(
    shop: FlightShop, real: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups = registry.VENDORS["acme"].lookups
    monkeypatch.setitem(registry.VENDORS, "acme", Vendor("acme", flight_simulator, lookups=lookups))
    offer = shop.offer()
    with recording() as recorded, tracing.within("call"):
        assert shop.order(offer).status == 201
    call, asked = recorded.named("createFlightOrder"), recorded.named("supplier book")
    assert asked.parent.span_id == call.context.span_id


def test_what_the_call_logs_carries_the_ids_of_the_request(shop: FlightShop, real: ScriptedFlights) -> None:
    offer, carried = shop.offer(), list[logs.Ids]()
    real.meanwhile("book", lambda: carried.append(logs.ids()))
    reply = shop.order(offer)
    assert [ids["requestId"] for ids in carried] == [reply.headers["X-Request-Id"]]


def test_a_refusal_within_the_wait_is_the_requests(shop: FlightShop, real: ScriptedFlights) -> None:
    real.spoil("book", Rejected())
    assert shop.order(shop.offer()).status == 502
    assert (latest().state, hold_of(latest()).status) == ("failed", "released")


def test_a_late_answer_is_written_down_without_the_request(
    slow: Slow, real: ScriptedFlights, onboarded: Onboarded
) -> None:
    reply = slow.order()
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert "still at work" in reply.body["error"]["message"]
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
    own = Lease.of(latest())
    for _ in range(5):
        move_clock(seconds=30)
        assert lease.renewed(own)
        assert recover_due() == 0
    operation = latest()  # once: its keeper may renew it between two reads
    assert (operation.lease_until - clock.now()).total_seconds() == pytest.approx(45, abs=1)
    assert operation.next_attempt_at == operation.lease_until


def test_the_keeper_renews_at_once(
    slow: Slow, move_clock: MoveClock, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.OPERATION_LEASE_SECONDS = 600  # a third of it is longer than this test waits
    renewed = threading.Event()
    real = lease.renewed
    monkeypatch.setattr(lease, "renewed", lambda *args: (real(*args), renewed.set())[0])
    slow.order()
    assert renewed.wait(20)
    assert at_work()[-1] == f"lease {latest().client_ref}"


def test_a_renewal_that_breaks_does_not_end_the_keeper(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise InterfaceError("the connection is closed")

    with monkeypatch.context() as patched:
        patched.setattr(clock, "now", broken)
        assert lease.renewed(Lease(1, "F-1", "calling", uuid.uuid4(), time.monotonic() + 60))
    assert "F-1: its lease could not be renewed this time" in caplog.text


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
    own = Lease.of(latest())
    move_clock(seconds=46)
    assert not lease.renewed(own)
    assert recover_due() == 1
    assert latest().state == "uncertain"
    kept.answer()
    assert (latest().state, events()) == ("uncertain", [])
    move_clock(seconds=120)
    assert recover_due() == 1
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
    assert funds(onboarded) == (BALANCE_CENTS - latest().booking.total_cents, 0)
    assert violations(real.report()) == []


def test_a_call_that_never_ends_is_left_to_recovery(
    slow: Slow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lease, "LONGEST_SECONDS", -1.0)
    slow.order()
    wait_until(lambda: "left to recovery" in caplog.text)
    wait_until(lambda: [name.split()[0] for name in at_work()] == ["call"])


def test_without_a_place_nothing_is_called(
    shop: FlightShop, real: ScriptedFlights, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "_places", threading.BoundedSemaphore(1))
    with call._places:
        assert shop.order(shop.offer()).status == 503
    assert (latest().state, latest().failure, real.calls("book")) == ("failed", "Unavailable", 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert shop.order(shop.offer()).status == 201


def test_without_a_thread_nothing_is_called_and_the_place_is_free_again(
    shop: FlightShop, real: ScriptedFlights, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(call, "_places", threading.BoundedSemaphore(1))
    offer = shop.offer()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        assert shop.order(offer).status == 503
    assert (latest().state, latest().failure, real.calls("book")) == ("failed", "Unavailable", 0)
    assert funds(onboarded) == (BALANCE_CENTS, 0)
    assert shop.order(offer).status == 201


def test_an_end_that_comes_just_after_the_wait_is_the_threads_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The request has left the call by then: it must not write the end a second time."""
    operation = Operation(pk=7, client_ref="F-22222222", state="calling", lease_token=uuid.UUID(int=7))
    long = call._LongCall(operation, pytest.fail, pytest.fail)

    def ends_now() -> None:
        long._ending = pytest.fail

    monkeypatch.setattr(long._keeper, "start", ends_now)
    with pytest.raises(call.StillUnderWay):
        long.answer_within(0)


@pytest.mark.parametrize(
    "trouble", [None, KeyError("it could not be written down")], ids=["written", "broken"]
)
def test_a_call_that_is_over_stops_its_keeper_and_gives_its_place_and_connections_back(
    monkeypatch: pytest.MonkeyPatch, trouble: Exception | None
) -> None:
    def settle(ending: call.Ending) -> None:
        if trouble is not None:
            raise trouble

    places, closed, stopped = threading.BoundedSemaphore(1), [], []
    monkeypatch.setattr(call, "_places", places)
    monkeypatch.setattr(call, "connections", SimpleNamespace(close_all=lambda: closed.append(True)))
    operation = Operation(pk=7, client_ref="F-22222222", state="calling", lease_token=uuid.UUID(int=7))
    long = call._LongCall(operation, lambda: "their booking", settle)
    long._left_alone = True
    monkeypatch.setattr(long._keeper, "stop", lambda: stopped.append(True))
    places.acquire()
    long.run()
    assert stopped == [True]
    assert (closed, places.acquire(blocking=False)) == ([True], True)


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
