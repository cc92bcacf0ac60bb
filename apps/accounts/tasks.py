"""What beat calls of the accounts."""

from celery import shared_task

from apps.accounts.services.announce_lapses import announce_lapses


@shared_task
def announce_lapsed_approvals() -> int:
    return announce_lapses()
