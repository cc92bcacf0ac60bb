"""Sweeps that go on after an error with one row: where nothing worked, the run has failed all the same."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from apps.bookings.flow import polling, reconcile, recover, supplier_hints
from apps.bookings.models import OperationState
from apps.common import clock
from apps.esim.services import sync
from apps.gateway.models import TaskRecord
from apps.hotels import tasks as hotel_tasks
from apps.suppliers.errors import Unavailable
from apps.webhooks.deliveries import dispatch
from apps.webhooks.services import advance_recoveries, take_exams
from config.celery import app

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_clock")]

Patch = Callable[[pytest.MonkeyPatch], None]
AWAY = Unavailable("away")

LIVE_BOOKING = SimpleNamespace(pk="ford_1", supplier_name="duffel", account_id="acc_1", environment="live")


def fails(error: Exception) -> Callable[..., Any]:
    def fail(*args: object, **named: object) -> None:
        raise error

    return fail


class Rows:
    """In place of a model: whatever is asked for, these rows are found."""

    def __init__(self, *rows: object) -> None:
        self._rows = rows
        self.objects = self

    def filter(self, *args: object, **named: object) -> "Rows":
        return self

    def order_by(self, *args: object) -> "Rows":
        return self

    def values_list(self, *args: object, **named: object) -> "Rows":
        return self

    def __getitem__(self, asked: slice) -> tuple[object, ...]:
        return self._rows[asked]

    def __iter__(self) -> Any:
        return iter(self._rows)


def polls(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(polling, "claim_due", lambda batch: [LIVE_BOOKING])
    patch.setattr(polling, "poll", fails(AWAY))


def polls_that_break(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(polling, "claim_due", lambda batch: [LIVE_BOOKING])
    patch.setattr(polling, "poll", fails(KeyError("id")))


OPEN = SimpleNamespace(
    pk=1,
    kind="book",
    state=OperationState.UNCERTAIN,
    lease_token=None,
    booking_id=LIVE_BOOKING.pk,
    booking=LIVE_BOOKING,
    trace_context=None,
)


def look_ups(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recover, "claim_due", lambda batch: [OPEN])
    patch.setattr(recover, "renew_lease", lambda *args, **named: True)
    patch.setattr(recover, "find", fails(AWAY))
    patch.setattr(recover, "wait", lambda operation: None)


def look_ups_that_break(patch: pytest.MonkeyPatch) -> None:
    look_ups(patch)
    patch.setattr(recover, "find", fails(KeyError("id")))
    patch.setattr(recover, "wait_anyway", lambda operation: None)


def hints(patch: pytest.MonkeyPatch) -> None:
    event = SimpleNamespace(pk=1, supplier="duffel", received_at=clock.now())
    patch.setattr(supplier_hints, "SupplierEvent", Rows(event))
    patch.setattr(supplier_hints, "make_due", lambda event: None)
    patch.setattr(supplier_hints, "refresh", fails(AWAY))


def settlements(patch: pytest.MonkeyPatch) -> None:
    owes = {"operation": OPEN, "booking_id": "tord_1", "action": "capture"}
    owed = iter([[SimpleNamespace(pk=1, **owes), SimpleNamespace(pk=2, **owes)], []] * 2)
    patch.setattr(reconcile, "claim_due", lambda batch: next(owed))
    patch.setattr(reconcile, "settle_one", fails(KeyError("id")))
    patch.setattr(reconcile, "put_back", lambda settlement, error: None)


def catalogue(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sync, "sync_environment", fails(AWAY))


def empty_catalogue(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sync, "sync_environment", lambda environment: sync.NOTHING_SOLD)


def hotels(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hotel_tasks, "hotel_supplier", lambda environment: SimpleNamespace(learn=fails(AWAY)))


def orphans(patch: pytest.MonkeyPatch) -> None:
    supplier = SimpleNamespace(name="liteapi", standing=fails(AWAY))
    patch.setattr("apps.hotels.services.orphans.hotel_supplier", lambda environment: supplier)


def deliveries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(dispatch, "claim", fails(OperationalError("no such column")))
    patch.setattr(dispatch, "connection", SimpleNamespace(close_if_unusable_or_obsolete=lambda: None))


def recoveries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(advance_recoveries, "Recovery", Rows("whr_1"))
    patch.setattr(advance_recoveries, "list_more", fails(KeyError("id")))


def exams(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(take_exams, "claim", fails(OperationalError("no such column")))


CASES: dict[str, tuple[Patch, str, str]] = {
    "polls": (polls, "apps.bookings.tasks.poll_standing_bookings", "duffel: Unavailable: away"),
    "broken polls": (
        polls_that_break,
        "apps.bookings.tasks.poll_standing_bookings",
        "duffel: KeyError: 'id'",
    ),
    "look-ups": (look_ups, "apps.bookings.tasks.recover_operations", "duffel: Unavailable: away"),
    "broken look-ups": (
        look_ups_that_break,
        "apps.bookings.tasks.recover_operations",
        "duffel: KeyError: 'id'",
    ),
    "hints": (hints, "apps.bookings.tasks.follow_supplier_hints", "duffel: Unavailable: away"),
    "settlements": (settlements, "apps.bookings.tasks.settle_what_is_owed", "KeyError: 'id'"),
    "catalogue": (
        catalogue,
        "apps.esim.tasks.sync_esim_plans",
        "live: Unavailable: away; test: Unavailable: away",
    ),
    "empty catalogue": (
        empty_catalogue,
        "apps.esim.tasks.sync_esim_plans",
        "live: ValueError: The supplier sells no plans.; test: ValueError: The supplier sells no plans.",
    ),
    "hotels": (hotels, "apps.hotels.tasks.learn_hotels", "Unavailable: away"),
    "orphans": (orphans, "apps.hotels.tasks.look_for_strays", "Unavailable: away"),
    "deliveries": (deliveries, "webhooks.sweep", "OperationalError: no such column"),
    "recoveries": (recoveries, "webhooks.advance_recoveries", "KeyError: 'id'"),
    "exams": (exams, "webhooks.take_exams", "OperationalError: no such column"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_run_in_which_nothing_worked_has_failed(case: str) -> None:
    patch, task, why = CASES[case]
    with pytest.MonkeyPatch.context() as broken:
        patch(broken)
        app.tasks[task].apply()
        assert (TaskRecord.objects.get(pk=task).fails, case) == (False, case)
        app.tasks[task].apply()
    row = TaskRecord.objects.get(pk=task)
    assert (row.fails, row.failure) == (True, why)
