"""What the faults of a test environment make of a batch: deliveries in another order, and some that come twice.

A receiver must bear both: deliveries are made at least once, and in no order (contract §3, Webhooks).
"""

import logging
from dataclasses import replace

from django.db import DatabaseError

from apps.accounts.services.set_faults import next_deliveries
from apps.webhooks.services.batch import Batch

logger = logging.getLogger(__name__)


def altered(batch: Batch) -> Batch:
    """The batch as it is to be sent. Call it after the claim's transaction, so that nobody waits for its locks."""
    if not batch.faults.alters_deliveries:
        return batch
    try:
        first = next_deliveries(batch.account_id, len(batch.jobs))
    except DatabaseError:  # the batch is claimed, and is sent as it is
        logger.warning("Faults could not be planted in webhooks", exc_info=True)
        return batch
    if first is None:
        return batch
    numbered = sorted(enumerate(batch.jobs, first), key=lambda one: batch.faults.place(one[0]))
    jobs = [replace(job, sent_twice=batch.faults.sends_twice(number)) for number, job in numbered]
    return replace(batch, jobs=jobs)
