from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.bookings.services.seal_travellers import SECONDS, seal_travellers
from apps.gateway.periodic import recorded


class Command(BaseCommand):
    help = "Seal the travellers of bookings that releases before 1.2 made. Without Celery."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seconds", type=float, default=SECONDS, help="Begin nothing after so long")

    def handle(self, *args: Any, **options: Any) -> None:
        with recorded("apps.bookings.tasks.seal_old_travellers"):
            done = seal_travellers(seconds=options["seconds"])
        self.stdout.write(f"{done} sealed")
