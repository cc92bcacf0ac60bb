"""Forgets the travellers of a booking: on request, or once their time is over. The booking itself, its money and its events stay.

All in one transaction, which begins with the lock that every change of a booking takes. So a change that is under way is refused
or waited for, and whoever dies half-way has done nothing.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson
from django.db import transaction

from apps.accounts import clocks
from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.accounts.services.audit import Subject, record
from apps.bookings.models import OPEN_STATES, Booking, Operation, Settlement, TravellerKey
from apps.bookings.services.cancel import STANDING
from apps.bookings.statements import save_change
from apps.bookings.travellers.declared import travellers_of
from apps.bookings.travellers.rest import SEALED, with_keys
from apps.common.errors import Conflict
from apps.gateway.envelope import render
from apps.gateway.idempotency import open_body
from apps.gateway.models import IdempotencyRecord

SAID = "reason"
"""What a partner wrote of a cancellation, in the operation and in the booking: it may name somebody."""


def erase_travellers(*, booking: Booking, erased_by: Actor) -> bool:
    """Forget them on request. Returns False where they were forgotten before.

    Raises Conflict while an operation or money is open, before the journey is over, and for a product without travellers.
    """
    with clocks.working_for(booking.account_id, booking.environment), transaction.atomic():
        stored = with_keys(Booking.objects.select_for_update()).get(pk=booking.pk)
        if stored.erased_at is not None:
            return False
        refuse_too_early(stored)
        forget(stored)
        record(
            account=stored.account_id,
            environment=stored.environment,
            action=AuditAction.TRAVELLERS_ERASED,
            actor=erased_by,
            subject=Subject("booking", stored.pk, stored.reference),
        )
    return True


def refuse_too_early(booking: Booking) -> None:
    """Raises Conflict where the travellers are still needed."""
    if travellers_of(booking.product) is None:
        raise Conflict("No traveller is named in this booking.", ours=True)
    if is_open(booking):
        raise Conflict("An operation or money of this booking is still open.", ours=True)
    if last_service(booking) > booking.now():
        raise Conflict("The journey is not over yet: cancel it first, or wait until it is.", ours=True)


def is_open(booking: Booking) -> bool:
    """Whether anything of it is still to come to its end. Ask under its lock."""
    if booking.status == Booking.PENDING:
        return True
    if Operation.objects.filter(booking_id=booking.pk, state__in=OPEN_STATES).exists():
        return True
    return Settlement.objects.filter(booking_id=booking.pk, settled_at=None).exists()


def last_service(booking: Booking) -> datetime:
    """When the journey ends; of a booking that does not stand, when it last changed."""
    travellers = travellers_of(booking.product)
    if booking.status not in STANDING or travellers is None:
        return booking.updated_at
    return travellers.ends_at(booking.details)


def forget(booking: Booking) -> None:
    """Blank what names travellers wherever the booking put it, and destroy its key. Call it under the booking's lock."""
    now = booking.now()
    forget_in_operations(booking)  # before the key, which opens the stored answers
    booking.details = blanked(booking)
    if booking.cancellation:
        booking.cancellation = {**booking.cancellation, SAID: None}
    booking.erased_at = now
    save_change(booking, "details", "cancellation", "erased_at", now=now)
    TravellerKey.objects.filter(pk=booking.pk).delete()


def blanked(booking: Booking) -> dict[str, Any]:
    travellers = travellers_of(booking.product)
    blank = travellers.details if travellers is not None else {}
    return {name: blank.get(name, value) for name, value in booking.details.items() if name != SEALED}


def forget_in_operations(booking: Booking) -> None:
    """The reasons that were sent, and the answers that are kept for replays."""
    operations = list(Operation.objects.select_for_update().filter(booking_id=booking.pk).order_by("pk"))
    for operation in operations:
        if operation.request.get(SAID) is not None:
            operation.request = {**operation.request, SAID: None}
            operation.save(update_fields=["request"])
    under = [operation.idempotency_record_id for operation in operations]
    records = IdempotencyRecord.objects.select_for_update().filter(pk__in=[pk for pk in under if pk])
    for stored in records.order_by("pk"):
        body = open_body(stored)
        answer = redacted_answer(booking, body) if body else None
        if answer is not None:
            stored.body = answer
            stored.save(update_fields=["body"])


def redacted_answer(booking: Booking, body: str) -> str | None:
    """A stored answer as a replay gives it from now on. None for a refusal, and for the answer about another booking: a key whose
    first try was refused is used again.
    """
    answer = orjson.loads(body)
    order = answer.get("order")  # of a flight change
    shown = order if isinstance(order, dict) else answer
    if shown.get("id") != booking.pk:
        return None
    said = redacted(booking, shown)
    return render({**answer, "order": said} if shown is order else said).decode()


def redacted(booking: Booking, answer: Mapping[str, Any]) -> dict[str, Any]:
    travellers = travellers_of(booking.product)
    blank = travellers.answer if travellers is not None else {}
    told = answer.get("cancellation")
    cancellation = {**told, SAID: None} if isinstance(told, dict) else told
    return {**answer, **blank, "cancellation": cancellation, "redacted": True}
