from typing import Any

from django.core.management.base import BaseCommand

from apps.gateway.periodic import recorded
from apps.webhooks.services.prune import prune


class Command(BaseCommand):
    help = "Forget webhook attempts, deliveries and events older than 30 days."

    def handle(self, **options: Any) -> None:
        with recorded("webhooks.prune"):
            gone = prune()
        self.stdout.write(f"Deleted {', '.join(f'{count} {name}' for name, count in gone.items())}.")
