"""Look-ups that outlive the lease they began under."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from apps.bookings.flow import lease, recover
from apps.bookings.flow.lease import Lease
from apps.bookings.flow.recover import claim_due, find, lease_kept, recover_due
from apps.bookings.models import Operation
from apps.common import clock
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.http import at_most
from tests.bookings.books import events, latest
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db(transaction=True)
MoveClock = Callable[..., None]
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
    renewed = lease.renewed

    class Brisk(threading.Event):
        """Lets a keeper renew again and again."""

        def wait(self, timeout: float | None = None) -> bool:
            return super().wait(0.01)

    class Keeper(lease.LeaseKeeper):
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
    monkeypatch.setattr(lease, "renewed", lambda lease: (renewed(lease), renewals.release())[0])
    supplier.meanwhile("find_order", take_long)
    assert recover_due() == 1
    assert others == []
    assert (latest().state, events()) == ("confirmed", ["booking.confirmed"])
    assert violations(supplier.report()) == []
    assert lookers() == []


def test_a_lease_that_ran_out_is_not_taken_back(unheard: Operation, move_clock: MoveClock) -> None:
    (mine,) = claim_due(1)
    move_clock(seconds=LEASE + 1)
    assert not lease.renewed(Lease.of(mine))
    assert len(claim_due(1)) == 1


def test_no_renewal_comes_after_the_look(
    unheard: Operation, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would push the next look, which is written then, to the lease's end."""
    settings.OPERATION_LEASE_SECONDS = 0.03
    renewing, stopping, ended = threading.Event(), threading.Event(), []

    class Keeper(lease.LeaseKeeper):
        def stop(self) -> None:
            self._over.set()
            stopping.set()
            super().stop()

    def slow_renewal(*args: Any, **kwargs: Any) -> object:
        renewing.set()
        stopping.wait(20)
        time.sleep(0.3)
        ended.append(True)
        return clock.now()

    monkeypatch.setattr(recover, "LeaseKeeper", Keeper)
    monkeypatch.setattr(lease, "renew_lease", slow_renewal)
    with lease_kept(unheard):
        assert renewing.wait(20)
    assert (ended, lookers()) == ([True], [])


def test_a_renewal_that_breaks_is_tried_again(
    unheard: Operation, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.OPERATION_LEASE_SECONDS = 0.03
    tries = 0
    again = threading.Event()

    def renewal(*args: Any, **kwargs: Any) -> object:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise OperationalError("away")
        again.set()
        return clock.now()

    monkeypatch.setattr(lease, "renew_lease", renewal)
    with lease_kept(unheard):
        assert again.wait(20)
    assert caplog.text.count("could not be renewed this time: away") == 1


def test_without_a_thread_the_look_is_made_all_the_same(
    unheard: Operation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert recover_due() == 1
    assert latest().state == "confirmed"
    assert "No thread to keep the lease" in caplog.text


@pytest.mark.usefixtures("still_clock")
def test_each_look_of_a_run_begins_with_a_whole_lease(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: MoveClock
) -> None:
    supplier.spoil("book", OutcomeUnknown(), times=2, accepted=True)
    for _ in range(2):
        assert shop.order(shop.offer()).status == 503
    move_clock(seconds=11)
    left: list[float] = []

    def first() -> None:
        move_clock(seconds=40)
        supplier.meanwhile("find_order", second)

    def second() -> None:
        leases = Operation.objects.filter(state="uncertain").values_list("lease_until", flat=True)
        left.append((max(leases) - clock.now()).total_seconds())

    supplier.meanwhile("find_order", first)
    assert recover_due() == 2
    assert left == [pytest.approx(45, abs=0.001)]


def test_a_kept_lease_is_not_renewed_at_once_and_holds_no_process_up(
    unheard: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, bool]] = []

    class Keeper(lease.LeaseKeeper):
        def __init__(self, operation: Operation, **how: bool) -> None:
            told.append(how)
            super().__init__(operation, **how)

    monkeypatch.setattr(recover, "LeaseKeeper", Keeper)
    with lease_kept(unheard):
        assert lookers() == [f"lease {unheard.client_ref}"]
    assert (told, lookers()) == ([{"at_once": False, "daemon": True}], [])


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
