"""The Celery application. Messages only wake a sweep; the work itself is found in PostgreSQL."""

import gc
import os
from importlib import import_module

from celery import Celery
from celery.signals import worker_before_create_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery would run Django's checks, of pages too, and throw away what they say. `manage.py check` says it.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("travel_partner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def keep_pages_shared(**kwargs: object) -> None:
    """A worker's processes share what it has imported, as long as no collection touches it.

    For the first of them only: what is there when another takes the place of a dead one may be garbage soon.
    """
    if not _frozen:
        _frozen.append(True)
        import_module("cffi.cparser")  # billiard's, for each process at its birth: 5 MB
        gc.freeze()


_frozen: list[bool] = []
worker_before_create_process.connect(keep_pages_shared)
