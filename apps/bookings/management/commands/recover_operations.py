from typing import Any

from django.core.management.base import BaseCommand

from apps.bookings.flow.recover import recover_due
from apps.gateway.periodic import recorded


class Command(BaseCommand):
    help = "Resolve operations that a dead process or a silent supplier left open, without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        looked_at = 0
        with recorded("apps.bookings.tasks.recover_operations") as tally:
            while batch := recover_due(tally=tally):
                looked_at += batch
        self.stdout.write(f"{looked_at} operations looked at")
