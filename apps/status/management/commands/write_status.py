import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from apps.status.on_disk import path, write


class Command(BaseCommand):
    help = "Write the status page on this host. Where a worker runs on the same host, beat's task does it already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=int, default=0, help="seconds between writings; without it once")

    def handle(self, *args: Any, **options: Any) -> None:
        while True:
            answered = write(measuring=False)
            self.stdout.write(f"{path()}{'' if answered else ': PostgreSQL does not answer'}")
            if options["every"] <= 0:
                return
            connection.close()  # a host of its own keeps none open between writings
            time.sleep(options["every"])
