"""Their bookings as ours: what stands, what it cost, and what cancelling it costs or has cost."""

from datetime import MINYEAR, UTC, datetime
from typing import Any

from apps.common import clock
from apps.common.money import to_cents
from apps.hotels.suppliers.base import Cancellation, Stay
from apps.hotels.suppliers.liteapi.amounts import Price, net_of_booking, number
from apps.hotels.suppliers.liteapi.booked_facts import facts_said
from apps.hotels.suppliers.liteapi.policies import penalty_cents, steps_of_text, verbatim
from apps.hotels.suppliers.liteapi.texts import handle, text
from apps.suppliers.results import LONGEST_REFERENCE

REFERENCE_NAMES = ("clientReference", "client_reference")
ID_NAMES = ("bookingId", "booking_Id", "booking_id")
CONFIRMED = "CONFIRMED"
CHARGED = "CANCELLED_WITH_CHARGES"
FAILED = frozenset({"FAILED", "REJECTED", "NOT_CONFIRMED", "ERROR"})


def status_of(booking: Any) -> str:
    """In capitals and one spelling: their texts write both CANCELED and CANCELLED."""
    return str(booking["status"]).upper().replace("CANCELED", "CANCELLED")


def reference_of(booking: Any) -> str | None:
    """Our reference, whichever of their lists spells it; None where it does not say."""
    told = next((booking[name] for name in REFERENCE_NAMES if booking.get(name)), None)
    return told if isinstance(told, str) else None


def id_of(booking: Any) -> str:
    """Raises LookupError, ValueError."""
    return handle(next((booking[name] for name in ID_NAMES if booking.get(name)), None), LONGEST_REFERENCE)


def standing_of(listed: Any) -> tuple[str, str] | None:
    """Our reference and their id, of an item of the list by days. That asks for what stands, which its items need not repeat.
    None for what no longer stands, or bears no reference.
    """
    reference, stands = reference_of(listed), not listed.get("status") or status_of(listed) == CONFIRMED
    return (reference, id_of(listed)) if reference is not None and stands else None


def is_cancelled(booking: Any) -> bool:
    return status_of(booking).startswith("CANCELLED")


def stay_of(booking: Any, terms: str = "") -> Stay:
    """A booking that stands or is cancelled. `terms`: its policy as we know it, where the answer does not repeat it."""
    price = net_of_booking(booking)
    ended = cancellation_of(booking, terms) if is_cancelled(booking) else None
    policy = policy_of(booking, terms)
    return Stay(
        supplier_reference=id_of(booking),
        total_cents=price.cents,
        currency=price.currency,
        cancellation_policy=policy,
        penalty_steps=steps_of_text(policy, total_cents=price.cents, currency=price.currency),
        confirmation_code=text(booking.get("hotelConfirmationCode")) or None,
        cancelled=ended is not None,
        penalty_cents=ended.penalty_cents if ended else None,
        refund_cents=ended.refund_cents if ended else None,
        facts=facts_said(booking),
    )


def policy_of(booking: Any, terms: str = "") -> str:
    told = booking.get("cancellationPolicies")
    return verbatim(told) if told else terms or "{}"


def quote_of(booking: Any, terms: str) -> Cancellation:
    """What cancelling costs now: by the terms that were kept at the booking, else by those that the answer repeats."""
    return cancellation(net_of_booking(booking), _penalty(booking, terms, clock.now()))


def cancelled_at(booking: Any) -> datetime:
    """When it was cancelled, as far as they say; the first day of the calendar says nothing."""
    try:
        told = datetime.fromisoformat(str(booking["cancelledAt"]))
    except (KeyError, ValueError):
        return clock.now()
    if told.year == MINYEAR:
        return clock.now()
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def cancellation_of(booking: Any, terms: str = "", quote: Cancellation | None = None) -> Cancellation:
    """What a cancelled booking cost. A refund that they name decides. Without one it cost the `quote` where they charged, or say
    that nothing came back. Where there is no quote and they charged, it cost what the terms say for that moment; else nothing.
    """
    price, told = net_of_booking(booking), booking.get("amountRefunded")
    refunded = to_cents(number(told or 0), price.currency)
    if refunded > 0:
        return cancellation(price, price.cents - refunded)
    charged = status_of(booking) == CHARGED
    if quote is not None and (charged or told is not None):
        return quote
    if not charged:
        return cancellation(price, 0)
    return cancellation(price, _penalty(booking, terms, cancelled_at(booking)))


def cancellation_told(answer: Any, price: Price, quote: Cancellation) -> Cancellation:
    """What the cancel call itself said: the fee, else what comes back, else what its status means."""
    if answer.get("currency") in (None, price.currency):
        if answer.get("cancellation_fee") is not None:
            return cancellation(price, to_cents(number(answer["cancellation_fee"]), price.currency))
        if answer.get("refund_amount") is not None:
            return cancellation(
                price, price.cents - to_cents(number(answer["refund_amount"]), price.currency)
            )
    return quote if status_of(answer) == CHARGED else cancellation(price, 0)


def cancellation(price: Price, penalty: int) -> Cancellation:
    """Penalty and refund are the whole price together, whatever the sums say."""
    penalty = max(0, min(penalty, price.cents))
    return Cancellation(penalty, price.cents - penalty, price.currency)


def _penalty(booking: Any, terms: str, at: datetime) -> int:
    price = net_of_booking(booking)
    policy = terms or policy_of(booking)
    return penalty_cents(policy, total_cents=price.cents, currency=price.currency, now=at)
