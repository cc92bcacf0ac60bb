"""The back-fill that seals the travellers of bookings that releases before 1.2 made.

It goes along the primary key of the bookings, a window of ids at a time, and looks which of them have no key. Each batch is a
transaction of its own; beside a change of a booking it waits for nothing, and comes back to it with the next run.
"""

import time
from collections.abc import Iterator, Sequence

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import transaction

from apps.bookings.models import Booking, TravellerKey
from apps.bookings.services.reserve import ID_PREFIXES
from apps.bookings.travellers.declared import products_with_travellers, travellers_of
from apps.bookings.travellers.rest import SEALED, sealed_details
from apps.common import sealing

WINDOW = 5_000
"""Ids that are looked at with one statement."""
BATCH = 200
"""Bookings that are sealed in one transaction."""
SECONDS = 1_800.0


def seal_travellers(*, window: int = WINDOW, batch: int = BATCH, seconds: float = SECONDS) -> int:
    """Returns of how many bookings the travellers were sealed. Nothing is done where SEAL_TRAVELLERS is off."""
    if not settings.SEAL_TRAVELLERS:
        return 0
    ends_at, sealed = time.monotonic() + seconds, 0
    for ids in windows(window):
        bare = without_key(ids)
        for begin in range(0, len(bare), batch):
            sealed += seal_batch(bare[begin : begin + batch])
        if time.monotonic() >= ends_at:
            break
    return sealed


def windows(size: int) -> Iterator[Sequence[str]]:
    """The ids of all bookings that may name travellers, along the primary key."""
    for product in sorted(products_with_travellers()):
        last = f"{ID_PREFIXES[product]}_"
        beyond = last + "~"
        while True:
            rows = Booking.objects.filter(pk__gt=last, pk__lt=beyond).order_by("pk")
            ids = list(rows.values_list("pk", flat=True)[:size])
            if ids:
                yield ids
                last = ids[-1]
            if len(ids) < size:
                break


def without_key(ids: Sequence[str]) -> list[str]:
    keys = TravellerKey.objects.filter(pk__gte=ids[0], pk__lte=ids[-1])
    known = set(keys.values_list("pk", flat=True))
    return [pk for pk in ids if pk not in known]


def seal_batch(ids: Sequence[str]) -> int:
    with transaction.atomic():
        rows = (
            Booking.objects.select_for_update(skip_locked=True)
            .filter(pk__in=ids, erased_at=None)
            .exclude(
                status=Booking.PENDING  # its call has the details in memory, and writes them as they were
            )
        )
        bare = [booking for booking in rows.order_by("pk") if SEALED not in booking.details]
        keys = []
        for booking in bare:
            travellers = travellers_of(booking.product)
            assert travellers is not None
            key = sealing.new_data_key()
            booking.details = sealed_details(AESGCM(key), booking, booking.details, travellers.details)
            keys.append(TravellerKey(pk=booking.pk, wrapped=sealing.wrapped(key, booking.pk)))
        TravellerKey.objects.bulk_create(keys)
        Booking.objects.bulk_update(bare, ["details"])
    return len(bare)
