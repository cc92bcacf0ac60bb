"""The nightly check of the books. Beat calls it; `manage.py check_ledger --stop-accounts` does the same."""

from celery import shared_task

from apps.ledger.services import nightly_fold as fold


@shared_task
def nightly_fold() -> None:
    fold.nightly_fold()
