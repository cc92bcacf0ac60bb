"""Cancellation, the same for every product: first at the supplier, then the money, once (reliability M7).

A member who clicks in the portal cancels as the API does, under an Idempotency-Key that the form has. So a second click is the
same call: it waits, gets what the first one got, or continues what the first one left open. Two people have two keys: the
booking's lock decides, and the later one gets a conflict.
"""

import re
import uuid
from dataclasses import dataclass

import orjson

from apps.accounts.actors import Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import AuditAction
from apps.bookings.flow.call import refusal
from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_modification
from apps.bookings.handlers import QUOTE, QUOTED_PENALTY, cancel_handler_for
from apps.bookings.models import Booking, CancellationQuote, Operation, OperationKind, Product
from apps.bookings.trade_rules import refuse_over
from apps.common.errors import (
    AccountNotActive,
    Conflict,
    GatewayError,
    IdempotencyKeyInProgress,
    OfferExpired,
)
from apps.gateway import idempotency
from apps.gateway.idempotency import Asked, Claim, StoredAnswer, fingerprint
from apps.gateway.requests import Caller
from apps.gateway.responses import Answer
from apps.gateway.settlement import NEVER_STORED
from apps.keys.partner import Partner
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within

MOST_SECONDS = 40.0
"""The cancellation itself may ask for its price as long as this. A page waits for it."""
REASON = "Cancelled in the portal."
KEY = re.compile(r"portal-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
QUOTE_ID = "cancellationQuoteId"
PAID = "paidCents"
"""The entry of a stored quote that has what was paid for the booking at that time, beside the supplier's own quote."""
OPERATIONS = {
    Product.HOTEL: "cancelHotelBooking",
    Product.FLIGHT: "cancelFlightOrder",
    Product.TRANSFER: "cancelTransferOrder",
}


def cancel_booking(
    *,
    caller: Caller,
    booking: Booking,
    reason: str | None = None,
    max_penalty_cents: int | None = None,
    quote_id: str | None = None,
    **more: object,
) -> Booking:
    """Cancel what stands. Raises Conflict when it does not, is over, or costs more than `max_penalty_cents` or the quote now;
    OfferExpired for a quote that is not the booking's newest, or too old. `more` is what the product's handler looks at.
    """

    def begin() -> Operation:
        refuse_unless_cancellable(booking)
        quote = None if quote_id is None else quote_of(booking, quote_id)

        def refuse_now(locked: Booking) -> None:
            refuse_unless_cancellable(locked)
            if quote is not None:
                refuse_other_sum(locked, quote)

        return reserve_modification(
            caller=caller,
            booking=booking,
            kind=OperationKind.CANCEL,
            request={
                "reason": reason,
                "maxPenaltyCents": max_penalty_cents,
                **({} if quote is None else terms_of(quote)),
                **more,
            },
            amount_cents=0,
            refuse=refuse_now,
        )

    return carry_out(caller=caller, begin=begin)


def quote_of(booking: Booking, quote_id: str) -> CancellationQuote:
    """Raises OfferExpired (410) for any but the booking's newest one in its time."""
    found = CancellationQuote.objects.filter(booking=booking, quote_id=quote_id).first()
    if found is None or found.expires_at <= booking.now():
        raise quote_expired()
    refuse_other_sum(booking, found)
    return found


def refuse_other_sum(booking: Booking, quote: CancellationQuote) -> None:
    """Raises OfferExpired where another sum is paid by now than at the quote: the order was changed, added to or paid."""
    if quote.quote[PAID] != booking.paid_cents:
        raise quote_expired()


def quote_expired() -> OfferExpired:
    return OfferExpired(
        "The cancellation quote is unknown, expired, or of the booking as it was before; ask for a new one.",
        ours=True,
    )


def terms_of(quote: CancellationQuote) -> dict[str, object]:
    """What a quote adds to the request of the operation."""
    return {QUOTE_ID: quote.quote_id, QUOTED_PENALTY: quote.penalty_cents, QUOTE: quote.quote[QUOTE]}


def refuse_unless_standing(booking: Booking) -> None:
    """Raises Conflict (409) for a booking that is pending, cancelled or failed."""
    if booking.status not in Booking.STANDING:
        raise Conflict(f"The booking is {booking.status}.", ours=True)


def refuse_unless_cancellable(booking: Booking) -> None:
    """Raises Conflict for a booking that does not stand, that no call can cancel, or whose service is over."""
    refuse_unless_standing(booking)
    handler = cancel_handler_for(booking)
    if handler is None or booking.product == Product.ESIM:
        raise Conflict("An eSIM order cannot be cancelled by a call.", ours=True)
    refuse_over(handler.service(booking), booking.now())


@dataclass(frozen=True, slots=True)
class Preview:
    """The two amounts together are what was paid for the booking: nothing while it is on hold."""

    penalty_cents: int
    refund_cents: int


def preview_cancellation(booking: Booking) -> Preview:
    """Raises Conflict for a booking that does not stand or cannot be cancelled, 502 and 503 where the supplier gives no price."""
    refuse_unless_cancellable(booking)
    handler = cancel_handler_for(booking)
    assert handler is not None
    operation = Operation(booking=booking, kind=OperationKind.CANCEL, client_ref=booking.reference)
    try:
        with all_within(MOST_SECONDS):
            penalty = int(handler.prepare(operation).data["penaltyCents"])
    except SupplierError as error:
        raise refusal(error, operation) from error
    return Preview(penalty, booking.paid_cents - penalty)


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
    """What the first click got. Raises Conflict where that was a refusal."""
    if stored.status == 200:
        return Booking.objects.get(pk=booking.pk)
    refused = orjson.loads(stored.body or b"{}")
    raise Conflict(refused.get("message", ""), **refused.get("extras", {}))


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
