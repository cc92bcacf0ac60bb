"""Forgets the travellers of a booking: on request, or once their time is over. The booking itself, its money and its events stay.

Each is one transaction, which begins with the lock that every change of a booking takes. So a change that is under way is refused
or waited for, and a process that dies half-way has done nothing.

The sweep forgets some days after the last service, as the account has it. It goes along the table of travellers' keys, in which
erased bookings have no row any more: ids sort by time, so the oldest come first. What is open, or locked, is left
to the next run.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet

from apps.accounts import clocks
from apps.accounts.actors import AUTOMATIC, Actor
from apps.accounts.audit import Subject, record
from apps.accounts.clocks import FURTHEST
from apps.accounts.models import Account, AuditAction
from apps.bookings.flow.reserve import ID_PREFIXES
from apps.bookings.models import OPEN_STATES, Booking, Operation, Settlement, TravellerKey
from apps.bookings.statements import save_change
from apps.bookings.travellers import SEALED, products_with_travellers, travellers_of, with_keys
from apps.common import clock
from apps.common.errors import Conflict
from apps.common.ids import earliest_id
from apps.common.progress import SILENT, Progress
from apps.gateway.idempotency import open_body
from apps.gateway.models import IdempotencyRecord
from apps.gateway.renderers import render

SAID = "reason"
"""What a partner wrote of a cancellation, in the operation and in the booking: it may name a person."""
BATCH = 200
SECONDS = 1_800.0


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
    if booking.status not in Booking.STANDING or travellers is None:
        return booking.updated_at
    return travellers.ends_at(booking.details)


def forget(booking: Booking) -> None:
    """Blank what names travellers wherever the booking put it, and destroy its key. Call it under the booking's lock."""
    now = booking.now()
    forget_in_operations(booking)  # before the key, which opens the stored answers
    travellers = travellers_of(booking.product)
    blank = travellers.details if travellers is not None else {}
    details = booking.details.items()
    booking.details = {name: blank.get(name, value) for name, value in details if name != SEALED}
    if booking.cancellation:
        booking.cancellation = {**booking.cancellation, SAID: None}
    booking.erased_at = now
    save_change(booking, "details", "cancellation", "erased_at", now=now)
    TravellerKey.objects.filter(pk=booking.pk).delete()


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
    """A stored answer as a replay gives it from now on. None for a refusal, and for the answer about another booking: a key
    whose first attempt was refused is used again.
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
    stated = answer.get("cancellation")
    cancellation = {**stated, SAID: None} if isinstance(stated, dict) else stated
    return {**answer, **blank, "cancellation": cancellation, "redacted": True}


def forget_travellers(*, batch: int = BATCH, seconds: float = SECONDS, progress: Progress = SILENT) -> int:
    """Returns of how many bookings the travellers were forgotten."""
    ends_at, forgotten = time.monotonic() + seconds, 0
    if progress is not SILENT:
        progress.expect(sum(keys.count() for keys in old_keys()))
    for ids in old_ids(batch):
        forgotten += forget_due(ids)
        progress.advance(len(ids))
        if time.monotonic() >= ends_at:
            break
    return forgotten


def old_ids(batch: int) -> Iterator[Sequence[str]]:
    """The bookings that have a key and were made long enough ago, in batches, along the primary key."""
    for keys in old_keys():
        ids = list(keys.values_list("pk", flat=True)[:batch])
        while ids:
            yield ids
            ids = (
                list(keys.filter(pk__gt=ids[-1]).values_list("pk", flat=True)[:batch])
                if len(ids) == batch
                else []
            )


def old_keys() -> Iterator[QuerySet[TravellerKey]]:
    """The keys of bookings that were made long enough ago, one product after the other."""
    own: int | None = Account.objects.aggregate(least=Min("traveller_retention_days"))["least"]
    default: int = settings.TRAVELLER_RETENTION_DAYS
    days = default if own is None else min(default, own)
    made_before = clock.now() - timedelta(days=days)
    if clocks.any_moved():
        made_before += FURTHEST
    for product in sorted(products_with_travellers()):
        prefix = ID_PREFIXES[product]
        first, end = f"{prefix}_", earliest_id(prefix, made_before)
        yield TravellerKey.objects.filter(pk__gt=first, pk__lt=end).order_by("pk")


def forget_due(ids: Sequence[str]) -> int:
    """Forget the travellers of those of these bookings whose time is over, with one entry in the audit of each account."""
    forgotten: dict[tuple[str, str], int] = defaultdict(int)
    with transaction.atomic():
        locked = Booking.objects.select_for_update(skip_locked=True, of=("self",)).select_related(
            "account__sandbox_of"
        )
        for booking in with_keys(locked).filter(pk__in=ids, erased_at=None).order_by("pk"):
            with clocks.working_for(booking.account_id, booking.environment):
                if is_due(booking, booking.now()):
                    forget(booking)
                    forgotten[booking.account_id, booking.environment] += 1
        for (account_id, environment), bookings in forgotten.items():
            record(
                account=account_id,
                environment=environment,
                action=AuditAction.TRAVELLERS_FORGOTTEN,
                actor=AUTOMATIC,
                details={"bookings": bookings},
            )
    return sum(forgotten.values())


def is_due(booking: Booking, now: datetime) -> bool:
    kept = timedelta(days=retention_days(booking.account))
    return last_service(booking) + kept <= now and not is_open(booking)


def retention_days(account: Account) -> int:
    """The account's own, that of its partner where it is a sandbox, or the deployment's."""
    for one in (account, account.sandbox_of):
        if one is not None and one.traveller_retention_days is not None:
            return one.traveller_retention_days
    days: int = settings.TRAVELLER_RETENTION_DAYS
    return days
