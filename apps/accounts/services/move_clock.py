"""Moves the clock of a test environment forward, together with everything that waits there for a time."""

from datetime import datetime, timedelta

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import AuditAction
from apps.accounts.services.audit import Subject, record
from apps.accounts.services.sandboxes import lock_sandbox
from apps.accounts.signals import clock_moved, sandbox_changed
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest

FURTHEST = timedelta(days=400)
"""How far ahead of the real time a clock may be."""


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
            field, f"must leave the clock at most {FURTHEST.days} days ahead of the real time"
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
