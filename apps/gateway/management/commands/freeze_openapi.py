import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.gateway.openapi import document

BASELINE = Path("tests/contract/v1.json")


class Command(BaseCommand):
    help = "Write the OpenAPI document to the frozen baseline that the contract gate compares with."

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.BASE_DIR / BASELINE
        path.write_text(json.dumps(document(), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        self.stdout.write(f"{BASELINE} written")
