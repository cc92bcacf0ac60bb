from typing import Any

from django.core.management.base import BaseCommand

from apps.bookings.flow.polling import poll_suppliers
from apps.gateway.periodic import recorded


class Command(BaseCommand):
    help = "Ask suppliers whether standing bookings still stand, without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        with recorded("apps.bookings.tasks.poll_standing_bookings") as tally:
            ended = poll_suppliers(batch=10_000, tally=tally)
        self.stdout.write(f"{ended} cancelled by their supplier")
