import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from apps.webhooks.services.dispatch import LOOK_SECONDS, Dispatcher


class Command(BaseCommand):
    help = "Deliver the webhooks that are due: what the worker does, without broker or beat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--forever", action="store_true", help="stay, and deliver what becomes due")

    def handle(self, *, forever: bool, **options: Any) -> None:
        if not forever:
            self.stdout.write(f"{Dispatcher().run()} attempts made.")
            return
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            Dispatcher().run(linger=settings.WEBHOOK_SWEEP_SECONDS, stopping=stop.is_set)
            stop.wait(LOOK_SECONDS)
