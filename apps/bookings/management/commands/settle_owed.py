from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.bookings.flow.reconcile import settle_owed
from apps.gateway.periodic import recorded


class Command(BaseCommand):
    help = "Move the money that is owed: captures of confirmed transfers, credits of cheaper flight changes. Without Celery."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seconds", type=float, default=3_600.0, help="Begin nothing after so long")

    def handle(self, *args: Any, **options: Any) -> None:
        with recorded("apps.bookings.tasks.settle_what_is_owed") as tally:
            settled = settle_owed(seconds=options["seconds"], tally=tally)
        self.stdout.write(f"{settled} settled")
