"""`python -m tests.deploy.rehearsal.recovered`: one recovery pass over a restored database, then what it knows, as JSON.

`known` are our references of confirmed operations, `open` how many are not at their end, `ledger` what the check of it finds.
"""

import json
import time

import django

django.setup()

from apps.bookings.flow.reconcile import settle_owed  # noqa: E402
from apps.bookings.flow.recover import recover_due  # noqa: E402
from apps.bookings.models import Operation, OperationState  # noqa: E402 - models can be imported only now
from apps.ledger.consistency import check_ledger  # noqa: E402

PASS_SECONDS = 60
OPEN = (OperationState.HELD, OperationState.CALLING, OperationState.UNCERTAIN)

give_up = time.monotonic() + PASS_SECONDS
while Operation.objects.filter(state__in=OPEN).exists() and time.monotonic() < give_up:
    recover_due()
    time.sleep(0.2)
settle_owed()
confirmed = Operation.objects.filter(state=OperationState.CONFIRMED)
found = {
    "known": list(confirmed.values_list("client_ref", flat=True)),
    "open": Operation.objects.filter(state__in=OPEN).count(),
    "ledger": [str(difference) for difference in check_ledger()],
}
print(json.dumps(found))
