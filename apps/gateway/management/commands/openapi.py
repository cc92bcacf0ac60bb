import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from apps.gateway.openapi import offered_document
from apps.gateway.renderers import render


class Command(BaseCommand):
    help = "Write the OpenAPI document of /v1 without a running service, and without the address of a deployment."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="the file to write; standard output by default"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        content, file = render(offered_document()), options["file"]
        if file is None:
            sys.stdout.buffer.write(content)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
