from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.bookings.erasure import SECONDS, forget_travellers
from apps.gateway.periodic import recorded


class Command(BaseCommand):
    help = "Forget the travellers of bookings whose time is over. Without Celery."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seconds", type=float, default=SECONDS, help="Begin nothing after so long")

    def handle(self, *args: Any, **options: Any) -> None:
        with recorded("apps.bookings.tasks.forget_old_travellers"):
            done = forget_travellers(seconds=options["seconds"])
        self.stdout.write(f"{done} forgotten")
