from celery import shared_task

from apps.ledger.services.nightly_fold import nightly_fold


@shared_task(name="ledger.nightly_fold")
def nightly_fold_task() -> None:
    """Check the books every night; differing accounts become read-only."""
    nightly_fold()
