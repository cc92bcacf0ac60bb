"""The thread that renews a lease: when it renews, and when it stops."""

import threading
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from apps.bookings.flow import lease
from apps.bookings.flow.lease import LONGEST_SECONDS, Lease, LeaseKeeper, renewed
from apps.bookings.models import Operation
from apps.common import clock

TOKEN = uuid.uuid4()
ENDS = 1_000.0


class Waits:
    """Stands for the keeper's event: it is set after `times` waits that were not cut short."""

    def __init__(self, times: int) -> None:
        self.seconds: list[float] = []
        self._times = times

    def wait(self, seconds: float) -> bool:
        self.seconds.append(seconds)
        return len(self.seconds) > self._times


class Connections:
    """Counts how often this thread's connections were closed."""

    closed = 0

    def close_all(self) -> None:
        self.closed += 1


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Connections:
    counted = Connections()
    monkeypatch.setattr(lease, "connections", counted)
    return counted


@pytest.fixture
def renewals(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the database was asked to renew."""
    asked: list[tuple[Any, ...]] = []

    def renew(pk: int, *, state: str, token: uuid.UUID) -> object:
        asked.append((pk, state, token))
        return clock.now()

    monkeypatch.setattr(lease, "renew_lease", renew)
    return asked


def operation() -> Operation:
    return Operation(pk=7, client_ref="F-22222222", state="calling", lease_token=TOKEN)


def at(monkeypatch: pytest.MonkeyPatch, monotonic: float) -> None:
    monkeypatch.setattr(lease, "time", SimpleNamespace(monotonic=lambda: monotonic))


def kept(*, at_once: bool, times: int) -> list[float]:
    """How long a keeper waited before each of its renewals, and before it was stopped."""
    keeper = LeaseKeeper(operation(), at_once=at_once, daemon=True)
    waits = Waits(times)
    keeper._over = waits  # type: ignore[assignment]
    keeper._run()
    return waits.seconds


def test_a_lease_is_the_operations_own_and_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, ENDS)
    assert Lease.of(operation()) == Lease(7, "F-22222222", "calling", TOKEN, ENDS + LONGEST_SECONDS)


@pytest.mark.parametrize(("at_once", "first"), [(True, 0.0), (False, 15.0)])
def test_a_lease_is_renewed_every_third_of_it_until_it_is_told_to_stop(
    settings: Any, renewals: list[object], connections: Connections, at_once: bool, first: float
) -> None:
    settings.OPERATION_LEASE_SECONDS = 45
    assert kept(at_once=at_once, times=3) == [first, 15.0, 15.0, 15.0]
    assert renewals == [(7, "calling", TOKEN)] * 3
    assert connections.closed == 3


def test_a_lease_that_is_lost_is_left(
    settings: Any, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPERATION_LEASE_SECONDS = 45
    monkeypatch.setattr(lease, "renew_lease", lambda *args, **kwargs: None)
    assert kept(at_once=True, times=3) == [0.0]
    assert connections.closed == 1


@pytest.mark.parametrize("daemon", [True, False])
def test_its_thread_has_the_operations_name_and_holds_up_the_process_only_where_told(daemon: bool) -> None:
    thread = LeaseKeeper(operation(), at_once=True, daemon=daemon)._thread
    assert (thread.name, thread.daemon) == ("lease F-22222222", daemon)


def test_after_stop_its_thread_is_over(renewals: list[object], connections: Connections) -> None:
    keeper = LeaseKeeper(operation(), at_once=False, daemon=True)
    keeper.start()
    assert "lease F-22222222" in [thread.name for thread in threading.enumerate()]
    keeper.stop()
    assert "lease F-22222222" not in [thread.name for thread in threading.enumerate()]
    assert renewals == []


def test_what_was_never_started_can_be_stopped() -> None:
    keeper = LeaseKeeper(operation(), at_once=True, daemon=True)
    keeper.stop()
    assert keeper._over.is_set()


@pytest.mark.parametrize(("past", "is_renewed"), [(-1.0, True), (0.0, True), (0.001, False)])
def test_no_lease_is_renewed_past_the_end_of_the_longest_call(
    monkeypatch: pytest.MonkeyPatch, renewals: list[object], past: float, is_renewed: bool
) -> None:
    at(monkeypatch, ENDS + past)
    assert renewed(Lease(7, "F-22222222", "calling", TOKEN, ENDS)) is is_renewed
    assert renewals == [(7, "calling", TOKEN)] * is_renewed


def test_a_renewal_that_the_database_refuses_is_not_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*args: object, **kwargs: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(lease, "renew_lease", away)
    assert renewed(Lease.of(operation())) is True
    assert "F-22222222: its lease could not be renewed this time: away" in caplog.text
