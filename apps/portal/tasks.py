"""What the portal has done in the background."""

from celery import shared_task
from django.core.management import call_command


@shared_task
def forget_ended_sessions() -> None:
    """Sessions that ran out are of no use to anybody; `manage.py clearsessions` by hand."""
    call_command("clearsessions")
