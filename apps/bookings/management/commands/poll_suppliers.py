from typing import Any

from django.core.management.base import CommandParser

from apps.bookings.flow.polling import how_many_are_due, poll_suppliers
from apps.common.progress import LongCommand, ProgressBar
from apps.gateway.periodic import recorded


class Command(LongCommand):
    help = "Poll suppliers for the bookings that are due, without Celery: cancel what they have cancelled."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seconds", type=float, default=3_600.0, help="start no batch after this many seconds"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with (
            recorded("apps.bookings.tasks.poll_standing_bookings") as tally,
            ProgressBar("poll_suppliers", "bookings") as progress,
        ):
            progress.expect(how_many_are_due())
            ended = poll_suppliers(seconds=options["seconds"], tally=tally, progress=progress)
        self.stdout.write(f"{ended} bookings cancelled by their supplier")
