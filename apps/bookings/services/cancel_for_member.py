"""Cancel a booking for a member who clicked in the portal: as the API's cancel does it, under an Idempotency-Key of its own.

The form has the key, so a second click is the same call: it waits, is told what the first one did, or carries on what the first
one left open. Two people have two keys. Then the booking's lock decides, and the later one is told that it is not possible.
"""

import re
import uuid

import orjson

from apps.accounts.actors import Actor
from apps.accounts.models import AuditAction
from apps.accounts.services.audit import Subject, record
from apps.bookings.models import Booking, Product
from apps.bookings.services.cancel import cancel_booking, refuse_unless_cancellable
from apps.common.errors import AccountNotActive, Conflict, GatewayError, IdempotencyKeyInProgress
from apps.gateway import idempotency
from apps.gateway.answer import Answer
from apps.gateway.call import Caller
from apps.gateway.finish import NEVER_STORED
from apps.gateway.idempotency import Asked, Claim, StoredAnswer
from apps.gateway.idempotency_key import fingerprint
from apps.keys.partner import Partner

REASON = "Cancelled in the portal."
KEY = re.compile(r"portal-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OPERATIONS = {
    Product.HOTEL: "cancelHotelBooking",
    Product.FLIGHT: "cancelFlightOrder",
    Product.TRANSFER: "cancelTransferOrder",
}


def new_key() -> str:
    """For one form."""
    return f"portal-{uuid.uuid4()}"


def cancel_for_member(
    *, partner: Partner, booking: Booking, actor: Actor, max_penalty_cents: int, key: str
) -> Booking:
    """Cancel what stands, if it costs no more than `max_penalty_cents` (minor units of the booking's currency), and return it.

    `partner` is the account without a key. Raises AccountNotActive unless the account is active, Conflict where the booking does
    not stand, cannot be cancelled or costs more, IdempotencyKeyInProgress during an earlier click, 502 and 503 as the API does.
    """
    if partner.account_status != "active":
        raise AccountNotActive(f"The account is {partner.account_status}.")
    body = {"maxPenaltyCents": max_penalty_cents}
    same = fingerprint("POST", f"portal {booking.pk} cancel", body)
    claim = idempotency.claim(partner, key, same, asked=Asked(OPERATIONS.get(Product(booking.product), "")))
    if isinstance(claim, StoredAnswer):
        return as_before(booking, claim)
    try:
        cancelled = _cancel(Caller(partner, "", claim=claim), booking, actor, max_penalty_cents)
    except BaseException as error:
        _end(claim, error)
        raise
    claim.complete(Answer({"id": booking.pk, "status": cancelled.status}, 200))
    return cancelled


def as_before(booking: Booking, stored: StoredAnswer) -> Booking:
    """What the first click was told. Raises Conflict where that was a refusal."""
    if stored.status == 200:
        return Booking.objects.get(pk=booking.pk)
    told = orjson.loads(stored.body or b"{}")
    raise Conflict(told.get("message", ""), **told.get("extras", {}))


def _cancel(caller: Caller, booking: Booking, actor: Actor, max_penalty_cents: int) -> Booking:
    if caller.claim is None or not caller.claim.taken_over:
        refuse_unless_cancellable(booking)
    record(
        account=booking.account_id,
        environment=booking.environment,
        action=AuditAction.BOOKING_CANCELLED,
        actor=actor,
        subject=Subject("booking", booking.pk, booking.reference),
        details={"maxPenaltyCents": max_penalty_cents, "currency": booking.currency},
    )
    return cancel_booking(caller=caller, booking=booking, reason=REASON, max_penalty_cents=max_penalty_cents)


def _end(claim: Claim, error: BaseException) -> None:
    """Store a refusal under the key; release the key after what a second click may carry on."""
    if (
        not isinstance(error, GatewayError)
        or error.status_code >= 500
        or error.status_code in NEVER_STORED
        or isinstance(error, IdempotencyKeyInProgress | AccountNotActive)
    ):
        claim.release()
        return
    claim.complete(Answer({"message": error.message, "extras": error.extras}, error.status_code))
