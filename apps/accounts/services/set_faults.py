"""Sets the faults of a test environment, and counts the calls and deliveries that they decide about."""

from django.db import connection, transaction

from apps.accounts.faults import Faults
from apps.accounts.models import Sandbox
from apps.accounts.services.sandboxes import lock_sandbox
from apps.accounts.signals import sandbox_changed

# One statement, committed by itself: calls at once wait for each other no longer than it takes.
NEXT_CALL = """
UPDATE accounts_sandbox SET calls_drawn = calls_drawn + 1
 WHERE account_id = %s AND retired_at IS NULL RETURNING calls_drawn
"""
NEXT_DELIVERIES = """
UPDATE accounts_sandbox SET deliveries_drawn = deliveries_drawn + %s
 WHERE account_id = %s AND retired_at IS NULL RETURNING deliveries_drawn
"""


@transaction.atomic
def set_faults(*, account_id: str, faults: Faults) -> Sandbox:
    """Replace them all; both sequences begin anew. Raises Conflict where the environment was reset or closed meanwhile."""
    sandbox = lock_sandbox(account_id)
    sandbox.faults = faults.as_stored()
    sandbox.calls_drawn = sandbox.deliveries_drawn = 0
    sandbox.save(update_fields=["faults", "calls_drawn", "deliveries_drawn"])
    sandbox_changed.send(sender=Sandbox, account_id=account_id)
    return sandbox


def next_call(account_id: str) -> int | None:
    """The number of the next call, from 1. None where the environment was reset or closed meanwhile: then nothing goes wrong."""
    return _counted(NEXT_CALL, [account_id])


def next_deliveries(account_id: str, count: int) -> int | None:
    """The first of the next `count` numbers of deliveries; None as above."""
    last = _counted(NEXT_DELIVERIES, [count, account_id])
    return None if last is None else last - count + 1


def _counted(statement: str, parameters: list[str | int]) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row = cursor.fetchone()
    return int(row[0]) if row is not None else None
