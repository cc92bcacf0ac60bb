"""What a worker has in memory when its processes are born (`config/celery.py`)."""

import json
import subprocess
import sys

from apps.ledger.consistency import QUERIES
from apps.ledger.services.check_ledger import CHECK_MINUTES
from config.celery import app
from tests.support.stack import ROOT

WORKER = """
import gc, json, sys
from celery.signals import worker_before_create_process
from config.celery import app
app.loader.import_default_modules()
frozen = [gc.get_freeze_count()]
for _ in range(2):
    worker_before_create_process.send(sender=None)
    frozen.append(gc.get_freeze_count())
    kept = [[] for _ in range(1000)]
print(json.dumps([frozen, "config.urls" in sys.modules, "apps.webhooks.tasks" in sys.modules,
                  "cffi.cparser" in sys.modules]))
"""


def test_what_a_worker_has_imported_is_shared_and_no_pages_are_among_it() -> None:
    told = subprocess.run(
        [sys.executable, "-c", WORKER], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    (before, first, second), pages, tasks, parser = json.loads(told.splitlines()[-1])
    assert first - before > 50_000
    assert second == first  # of the later processes' time there may be garbage
    assert (pages, tasks, parser) == (False, True, True)


def test_no_message_is_given_to_a_second_worker_while_the_first_is_at_it() -> None:
    """Redis gives it back after the visibility timeout. The nightly check of the ledger is the longest job."""
    longest = len(QUERIES) * CHECK_MINUTES * 60
    kept = app.connection_for_write().transport_options["visibility_timeout"]
    assert (longest, kept) == (10_800, 21_600)
