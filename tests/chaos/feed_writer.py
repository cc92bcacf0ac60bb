"""A process that writes events of bookings: it is slow to commit, undoes some, and is killed before, in or after a commit."""

import os
import signal
import threading
from contextlib import suppress
from random import Random

from django.db import transaction

from apps.bookings.flow.settle import emit_events
from apps.bookings.models import Booking
from apps.webhooks.events import Fact

FACT = Fact("payment.refunded", {"refundCents": 7})
USUAL_SECONDS, LONG_SECONDS = 0.003, 0.3
LONG, KILLED, UNDONE = 0.004, 0.004, 0.05
"""How likely a commit is long delayed; a kill before it, and as likely one in or after it; an undoing."""


class Undone(Exception):
    """What was to be told did not happen."""


def tell_of_bookings(writer: str, seed: str, count: str, *booking_ids: str) -> None:
    """Write so many events, one to three in a transaction, each of a booking by chance."""
    chance, left = Random(seed), int(count)
    bookings = list(Booking.objects.filter(pk__in=booking_ids).order_by("pk"))
    while left > 0:
        facts = (FACT,) * chance.randint(1, 3)
        end = chance.random()
        with suppress(Undone), transaction.atomic():
            emit_events(chance.choice(bookings), writer, facts)
            linger(chance)
            if end < KILLED:
                kill()
            if end < KILLED + UNDONE:
                raise Undone
            if end > 1 - KILLED:
                threading.Timer(chance.uniform(0, 0.002), kill).start()
        if end >= KILLED + UNDONE:
            left -= len(facts)


def linger(chance: Random) -> None:
    seconds = LONG_SECONDS if chance.random() < LONG else USUAL_SECONDS
    threading.Event().wait(chance.uniform(0, 2 * seconds))


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
