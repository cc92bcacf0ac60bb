from typing import Any

from django.core.management.base import BaseCommand

from apps.places.services import load_places


class Command(BaseCommand):
    help = "Write cities, airports and landmarks that are new or changed since the last release."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{load_places()} places written")
