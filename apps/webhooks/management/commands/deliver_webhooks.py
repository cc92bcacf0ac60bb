import signal
import threading
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from apps.gateway.periodic import ITSELF, recorded
from apps.webhooks.deliveries.dispatch import LOOK_SECONDS, Dispatcher


class Command(BaseCommand):
    help = "Deliver the webhooks that are due, without broker or beat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--forever", action="store_true", help="keep running, and deliver what becomes due"
        )

    def handle(self, *, forever: bool, **options: Any) -> None:
        if not forever:
            self.stdout.write(f"{deliver()} attempts made.")
            return
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        while not stop.is_set():
            deliver(linger=settings.WEBHOOK_SWEEP_SECONDS, stopping=stop.is_set)
            stop.wait(LOOK_SECONDS)


def deliver(*, linger: float = 0.0, stopping: Callable[[], bool] = lambda: False) -> int:
    """One run of deliveries, which counts as one of the sweep. Returns how many attempts were made."""
    dispatcher = Dispatcher()
    with recorded("webhooks.sweep") as tally:
        made = dispatcher.run(linger=linger, stopping=stopping)
        if dispatcher.failure is not None:
            tally.failed(ITSELF, dispatcher.failure)
    return made
