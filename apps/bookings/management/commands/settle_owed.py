from typing import Any

from django.core.management.base import CommandParser

from apps.bookings.flow.reconcile import how_many_are_due, settle_owed
from apps.common.progress import LongCommand, ProgressBar
from apps.gateway.periodic import recorded


class Command(LongCommand):
    help = "Settle what is due, without Celery: capture confirmed transfers, credit cheaper flight changes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seconds", type=float, default=3_600.0, help="start no batch after this many seconds"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with (
            recorded("apps.bookings.tasks.settle_what_is_owed") as tally,
            ProgressBar("settle_owed", "settlements") as progress,
        ):
            progress.expect(how_many_are_due())
            settled = settle_owed(seconds=options["seconds"], tally=tally, progress=progress)
        self.stdout.write(f"{settled} settled")
