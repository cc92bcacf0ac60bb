"""Beat's thin entries. `manage.py check_ledger --stop-accounts` does the nightly check as well."""

from celery import shared_task

from apps.ledger import consistency, months, movements


@shared_task
def nightly_check() -> None:
    consistency.nightly_check()


@shared_task
def expire_proposals() -> int:
    return movements.expire_old()


@shared_task
def close_last_month() -> int:
    return months.close_last_month()
