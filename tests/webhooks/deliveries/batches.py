"""Batches as they are after a claim, without a database, and what came of them."""

import uuid
from datetime import timedelta
from time import monotonic

from apps.common import clock
from apps.webhooks.deliveries.claim import Batch


def batches(account_id: str, count: int, *, begun: float | None = None) -> list[Batch]:
    """So many batches of as many endpoints of one account, claimed when its clock showed `begun`: now, unless told."""
    at = monotonic() if begun is None else begun
    return [
        Batch(
            f"we_{n}",
            account_id,
            "test",
            uuid.uuid4(),
            "",
            (),
            clock.now(),
            jobs=[],
            ahead=timedelta(0),
            claimed_monotonic=at,
        )
        for n in range(count)
    ]
