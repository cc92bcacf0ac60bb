"""What beat calls of the accounts."""

from celery import shared_task

from apps.accounts.live_approval import announce_lapses


@shared_task
def announce_lapsed_approvals() -> int:
    return announce_lapses()
