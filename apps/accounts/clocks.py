"""The time in an environment: the real one, or as far ahead as the clock of a test environment was moved.

What partners see and are judged by (created, expires, "24 h", days) is the time there: `now_in`. What only schedules work
(leases, next attempts) is the real time, `clock.now()`; moving a clock pulls what waits there back (`signals.clock_moved`).
docs/sandbox-clock.md lists every column.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, Model, QuerySet, Value

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import AuditAction, Sandbox
from apps.accounts.sandboxes import lock_sandbox
from apps.accounts.signals import clock_moved, sandbox_changed
from apps.common import clock
from apps.common.clock import NOT_MOVED, Place
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest

M = TypeVar("M", bound=Model)

FURTHEST = timedelta(days=400)
"""How far ahead of the real time a clock may be."""


@contextmanager
def working_for(account_id: str, environment: str) -> Iterator[Place]:
    """For the length of the block this thread works for that environment. One statement, and none for live."""
    place = place_of(account_id, environment)
    before = clock.here()
    clock.enter(place)
    try:
        yield place
    finally:
        clock.enter(before)


def place_of(account_id: str, environment: str) -> Place:
    """The environment with its clock. No statement for live, nor for the one that this thread works for."""
    place = clock.here()
    if place is not None and place.account_id == account_id and place.environment == environment:
        return place
    if environment != Environment.TEST:
        return Place(account_id, environment)
    return Place(account_id, environment, offsets_of([account_id]).get(account_id, NOT_MOVED))


def now_in(account_id: str, environment: str) -> datetime:
    """The time there."""
    return clock.now(place_of(account_id, environment))


def offsets_of(account_ids: Collection[str]) -> dict[str, timedelta]:
    """How far ahead the test environments that are stored under these ids are; those that are not ahead are left out."""
    moved = Sandbox.objects.filter(account_id__in=account_ids, clock_offset__gt=NOT_MOVED)
    return dict(moved.values_list("account_id", "clock_offset"))


def any_moved() -> bool:
    """Whether the clock of any test environment was moved."""
    return Sandbox.objects.filter(clock_offset__gt=NOT_MOVED).exists()


def older_there(rows: QuerySet[M], column: str, before: datetime, *, through: str = "") -> QuerySet[M]:
    """Those of `rows` in test environments whose clock was moved that are older than `before` by that clock.

    `through` leads to account and environment where the rows have none: `delivery__`. Rows older than that by the real clock are
    among them, because no clock is behind. So once these are forgotten, none of such an environment is left to forget.
    """
    ahead = F(f"{through}account__sandbox__clock_offset")
    return rows.filter(
        **{
            f"{through}environment": Environment.TEST,
            f"{through}account__sandbox__clock_offset__gt": NOT_MOVED,
            f"{column}__lt": ExpressionWrapper(Value(before) + ahead, DateTimeField()),
        }
    )


@transaction.atomic
def move_clock(
    *, account_id: str, by: timedelta | None = None, until: datetime | None = None, actor: Actor = SUPPORT
) -> timedelta:
    """Move it forward `by` some time or `until` an instant, in whole seconds. Returns how far ahead it is then.

    Raises InvalidRequest for an instant that is past there, and for one that is more than 400 days ahead of the real time.
    Raises Conflict where the test environment was reset or closed meanwhile.
    """
    sandbox = lock_sandbox(account_id)
    field = "advanceTo" if by is None else "advanceSeconds"
    if by is None:
        assert until is not None
        by = _whole_seconds(until - clock.now(sandbox))
    if by < timedelta(0):
        raise InvalidRequest.field(
            field, "must not be before the time that it is there: a clock never goes back"
        )
    if sandbox.clock_offset + by > FURTHEST:
        raise InvalidRequest.field(
            field, f"must leave the clock at most {FURTHEST.days} days ahead of real time"
        )
    if by:
        sandbox.clock_offset += by
        sandbox.clock_seen_at = None
        sandbox.save(update_fields=["clock_offset", "clock_seen_at"])
        clock_moved.send(sender=type(sandbox), account_id=account_id, advance=by)
        sandbox_changed.send(sender=type(sandbox), account_id=account_id)
        record(
            account=sandbox.owner_id,
            environment=Environment.TEST,
            action=AuditAction.SANDBOX_CLOCK_MOVED,
            actor=actor,
            subject=Subject("sandbox", account_id, sandbox.name),
            details={
                "seconds": int(by.total_seconds()),
                "offsetSeconds": int(sandbox.clock_offset.total_seconds()),
            },
        )
    return sandbox.clock_offset


def _whole_seconds(span: timedelta) -> timedelta:
    """Rounded up, so that the instant is reached."""
    return timedelta(seconds=-(-span // timedelta(seconds=1)))
