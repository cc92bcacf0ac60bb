from typing import Any

from apps.common.progress import LongCommand, ProgressBar
from apps.places.services import load_places


class Command(LongCommand):
    help = "Load the cities, airports and landmarks that are new or changed since the last release."
    again = "Run it again: the places are written in one transaction."

    def handle(self, *args: Any, **options: Any) -> None:
        with ProgressBar("load_places", "places") as progress:
            written = load_places(progress=progress)
        self.stdout.write(f"{written} places written")
