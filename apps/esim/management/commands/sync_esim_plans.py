from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.esim.services.sync import sync_plans


class Command(BaseCommand):
    help = "Bring the eSIM catalogue up to date with its suppliers, without Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        synced = sync_plans()
        for environment, result in synced.items():
            if result is not None:
                self.stdout.write(
                    f"{environment}: {result.added} added, {result.changed} changed, "
                    f"{result.withdrawn} withdrawn, {result.unchanged} unchanged"
                )
        silent = [environment for environment, result in synced.items() if result is None]
        if silent:
            raise CommandError(f"no answer from the supplier of: {', '.join(silent)}")
