from typing import Any

from django.core.management.base import CommandParser

from apps.bookings.erasure import SECONDS, forget_travellers
from apps.common.progress import LongCommand, ProgressBar
from apps.gateway.periodic import recorded


class Command(LongCommand):
    help = "Delete the travellers of bookings whose retention time is over, without Celery."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seconds", type=float, default=SECONDS, help="start no batch after this many seconds"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with (
            recorded("apps.bookings.tasks.forget_old_travellers"),
            ProgressBar("forget_travellers", "bookings") as progress,
        ):
            done = forget_travellers(seconds=options["seconds"], progress=progress)
        self.stdout.write(f"{done} bookings redacted")
