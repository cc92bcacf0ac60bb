from typing import Any

from django.core.management.base import BaseCommand

from apps.bookings.services.reconcile import settle_owed


class Command(BaseCommand):
    help = "Move the money that is owed: captures of confirmed transfers, credits of cheaper flight changes. Without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{settle_owed(batch=10_000)} settled")
