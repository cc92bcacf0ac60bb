from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.esim.services.sync import sync_plans
from apps.gateway.periodic import recorded


class Command(BaseCommand):
    help = "Bring the eSIM catalogue up to date with its suppliers, without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        with recorded("apps.esim.tasks.sync_esim_plans") as tally:
            synced = sync_plans(tally=tally)
        for environment, result in synced.items():
            if result is not None:
                self.stdout.write(
                    f"{environment}: {result.added} added, {result.changed} changed, "
                    f"{result.withdrawn} withdrawn, {result.unchanged} unchanged"
                )
        silent = [environment for environment, result in synced.items() if result is None]
        if silent:
            raise CommandError(f"no answer from the supplier of: {', '.join(silent)}")
