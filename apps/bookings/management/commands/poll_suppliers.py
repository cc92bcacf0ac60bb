from typing import Any

from django.core.management.base import BaseCommand

from apps.bookings.services.polling import poll_suppliers


class Command(BaseCommand):
    help = "Ask suppliers whether standing bookings still stand, without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{poll_suppliers(batch=10_000)} cancelled by their supplier")
