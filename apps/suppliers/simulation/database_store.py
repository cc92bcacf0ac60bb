"""The simulators' memory, shared by all web and worker processes: a table of their own, written in autocommit.

No transaction of ours is open during a supplier call. So what the simulator wrote stays, whatever becomes of the operation that
called it: as with a real supplier.
"""

from datetime import datetime

import orjson

from apps.common import clock, sql
from apps.suppliers.models import SimulatedWrite
from apps.suppliers.simulation.store import AlreadyWrittenError, Write

# One statement and one round trip. Its commit need not wait for the disk: a crash that loses it also loses
# every later commit of ours, so we cannot remember a booking that the simulator forgot.
ADD = """
WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO suppliers_simulatedwrite (product, kind, client_ref, reference, sequence, record, created_at)
SELECT %s, %s, %s, %s, %s, %s::jsonb, %s FROM relaxed
ON CONFLICT DO NOTHING
"""


class DatabaseStore:
    """The `Store` of one product in the service's database."""

    def __init__(self, product: str) -> None:
        self.product = product

    def add(self, write: Write) -> None:
        row: list[str | int | datetime] = [
            self.product,
            write.kind,
            write.client_ref,
            write.reference,
            write.sequence,
        ]
        if not sql.rows_changed(ADD, [*row, orjson.dumps(write.record).decode(), clock.now()]):
            raise AlreadyWrittenError(write.client_ref)

    def find(self, kind: str, client_ref: str) -> Write | None:
        return _as_write(
            SimulatedWrite.objects.filter(product=self.product, kind=kind, client_ref=client_ref).first()
        )

    def latest(self, reference: str) -> Write | None:
        writes = SimulatedWrite.objects.filter(product=self.product, reference=reference)
        return _as_write(writes.order_by("-sequence").first())


def _as_write(row: SimulatedWrite | None) -> Write | None:
    if row is None:
        return None
    return Write(row.kind, row.client_ref, row.reference, row.sequence, row.record)
