"""`python -m tests.support.verdict URL`: sweep until nothing is open, then say what `invariants` finds by the judge at URL."""

import json
import sys
import time

import django
import requests

django.setup()

from apps.bookings.flow.reconcile import settle_owed  # noqa: E402 - models can be imported only now
from apps.bookings.flow.recover import recover_due  # noqa: E402
from tests.support.invariants import violations  # noqa: E402

SETTLED_SECONDS = 60

give_up = time.monotonic() + SETTLED_SECONDS
while True:
    recover_due()
    settle_owed()
    report = requests.post(f"{sys.argv[1]}/control/report", json={}, timeout=10).json()["result"]
    found = violations(report)
    if not any(text.startswith("unfinished") for text in found) or time.monotonic() > give_up:
        break
    time.sleep(0.2)
print(json.dumps(found))
