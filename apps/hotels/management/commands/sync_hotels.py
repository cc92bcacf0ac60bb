from typing import Any

from django.core.management.base import CommandError

from apps.common.progress import LongCommand, ProgressBar
from apps.gateway.periodic import recorded
from apps.hotels.services.sync_properties import sync_properties

A_DAY = 86_400.0


class Command(LongCommand):
    help = "Synchronize the list of hotels with the suppliers, without Celery: every country that is due."
    again = "Run it again: it continues with the page after the last one that was stored."

    def handle(self, *args: Any, **options: Any) -> None:
        with (
            recorded("apps.hotels.tasks.sync_hotels") as tally,
            ProgressBar("sync_hotels", "countries") as progress,
        ):
            synced = sync_properties(tally=tally, seconds=A_DAY, progress=progress)
        self.stdout.write(
            f"{synced.added} added, {synced.changed} changed, {synced.deleted} deleted, "
            f"{synced.unchanged} unchanged, {synced.unreadable} unreadable"
        )
        if tally.failures:
            raise CommandError(f"The supplier did not answer: {tally.why}")
