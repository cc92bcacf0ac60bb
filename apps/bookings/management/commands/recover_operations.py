from typing import Any

from apps.bookings.flow.recover import how_many_are_due, recover_due
from apps.common.progress import LongCommand, ProgressBar
from apps.gateway.periodic import recorded


class Command(LongCommand):
    help = "Look up the operations whose outcome is unknown at their suppliers, without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        looked_up = 0
        with (
            recorded("apps.bookings.tasks.recover_operations") as tally,
            ProgressBar("recover_operations", "operations") as progress,
        ):
            progress.expect(how_many_are_due())
            while batch := recover_due(tally=tally, progress=progress):
                looked_up += batch
        self.stdout.write(f"{looked_up} operations looked up")
