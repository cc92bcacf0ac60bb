from typing import Any

from django.core.management.base import CommandError

from apps.common.progress import LongCommand, ProgressBar
from apps.esim.services.sync import sync_plans
from apps.gateway.periodic import recorded


class Command(LongCommand):
    help = "Synchronize the eSIM catalogue with its suppliers, without Celery."
    again = "Run it again: the catalogue of an environment is written whole or not at all."

    def handle(self, *args: Any, **options: Any) -> None:
        with (
            recorded("apps.esim.tasks.sync_esim_plans") as tally,
            ProgressBar("sync_esim_plans", "catalogues") as progress,
        ):
            synced = sync_plans(tally=tally, progress=progress)
        for environment, result in synced.items():
            if result is not None:
                self.stdout.write(
                    f"{environment}: {result.added} added, {result.changed} changed, "
                    f"{result.withdrawn} withdrawn, {result.unchanged} unchanged"
                )
        silent = [environment for environment, result in synced.items() if result is None]
        if silent:
            raise CommandError(f"The supplier did not answer: {', '.join(silent)}")
