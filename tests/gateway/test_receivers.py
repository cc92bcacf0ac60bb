"""The lease of a released Idempotency-Key ages with the clock of its sandbox."""

import uuid
from datetime import timedelta

from apps.accounts.clocks import move_clock
from apps.common import clock
from apps.gateway.models import IdempotencyRecord
from tests.factories.accounts import AccountFactory

DAY = timedelta(days=1)


def test_a_released_key_ages_and_a_running_one_keeps_its_lease(db: None) -> None:
    account, now = AccountFactory(), clock.now()
    for key, environment, state, owner in (
        ("released", "test", "released", account),
        ("running", "test", "running", account),
        ("live", "live", "released", account),
        ("another's", "test", "released", AccountFactory()),
    ):
        IdempotencyRecord.objects.create(
            account=owner,
            environment=environment,
            key=key,
            state=state,
            lease_token=uuid.uuid4(),
            lease_until=now,
        )

    move_clock(account_id=account.id, by=DAY)

    left = dict(IdempotencyRecord.objects.values_list("key", "lease_until"))
    assert left == {"released": now - DAY, "running": now, "live": now, "another's": now}
