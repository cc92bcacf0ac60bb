"""What an airline keeps for the travellers of a cancelled order in place of a refund: credits that they spend with that airline.

They are no money of the partner's. Their codes are the travellers' own: stored sealed with them, in no event and in no log. An
airline that makes a code later is asked for a month, sooner when its supplier hints at it.
"""

from dataclasses import replace
from datetime import timedelta

from django.db import transaction

from apps.bookings.flow.polling import poll
from apps.bookings.flow.settle import emit_events, next_look
from apps.bookings.handlers import Outcome
from apps.bookings.models import Booking, Product
from apps.bookings.presenters import credit_json
from apps.bookings.statements import save_change
from apps.bookings.travellers import at_rest, is_redacted, with_keys
from apps.flights.details import OrderDetails
from apps.flights.suppliers.base import FlightSupplier
from apps.suppliers.results import AirlineCredit
from apps.suppliers.values import to_json
from apps.webhooks.events import AIRLINE_CREDIT_ISSUED, Fact

ACCEPTS_CREDIT = "acceptAirlineCredit"
"""The entry of a cancellation's `request` that says whether the partner accepts credit; absent where the partner did not say."""
ASKED_FOR = timedelta(days=30)
"""For so long after the cancellation the airline is asked for the codes that it did not issue at once."""

Credits = tuple[AirlineCredit, ...]


def with_credits(booking: Booking, outcome: Outcome, granted: Credits) -> Outcome:
    """The outcome of a cancellation with what the airline keeps. Not of an order whose travellers are forgotten."""
    if not granted:
        return outcome
    details = OrderDetails.of(booking)
    if is_redacted(booking):
        return outcome
    return replace(
        outcome,
        details=to_json(replace(details, airline_credits=granted)),
        events=(*outcome.events, issued_event(granted)) if are_issued(granted) else outcome.events,
        watched_until=None if are_issued(granted) else booking.now() + ASKED_FOR,
    )


def are_issued(granted: Credits) -> bool:
    return all(credit.code for credit in granted)


def issued_event(granted: Credits) -> Fact:
    """Once for an order, when all codes are there. It has none: the order has them, for as long as its travellers are known."""
    listed = [credit_json(credit) for credit in granted]
    for one in listed:
        del one["code"]
    return Fact(AIRLINE_CREDIT_ISSUED, {"airlineCredits": listed})


def complete_credits(booking: Booking, supplier: FlightSupplier) -> None:
    """Store the codes that the airline has issued since the order was cancelled. Raises SupplierError."""
    if are_issued(OrderDetails.of(booking).airline_credits):
        return
    latest = supplier.airline_credits(booking.supplier_reference)
    with transaction.atomic():
        stored = with_keys(Booking.objects.select_for_update(no_key=True)).get(pk=booking.pk)
        details = OrderDetails.of(stored)
        before, now = details.airline_credits, stored.now()
        updated = updated_credits(before, latest)
        if updated == before or is_redacted(stored):
            return
        issued = are_issued(updated)
        stored.details = dict(at_rest(stored, to_json(replace(details, airline_credits=updated))))
        stored.watched_until = None if issued else stored.watched_until
        stored.next_news_at = next_look(stored, now)
        save_change(stored, "details", "watched_until", "next_news_at", now=now)
        if issued:
            emit_events(stored, "", (issued_event(updated),))


def updated_credits(known: Credits, latest: Credits) -> Credits:
    """The known credits with what their supplier says of each now; all that it says, where it had named none before."""
    if latest and not any(credit.supplier_id for credit in known):
        return latest
    now = {credit.supplier_id: credit for credit in latest if credit.supplier_id}
    return tuple(_updated(credit, now.get(credit.supplier_id)) for credit in known)


def _updated(credit: AirlineCredit, latest: AirlineCredit | None) -> AirlineCredit:
    if latest is None:
        return credit
    return replace(credit, code=latest.code or credit.code, expires_on=latest.expires_on or credit.expires_on)


def read_credits_again(supplier: str, supplier_reference: str) -> None:
    """Ask for the codes of a cancelled order, of which a supplier's webhook says that it has news. Raises SupplierError."""
    cancelled = Booking.objects.filter(
        product=Product.FLIGHT,
        supplier_name=supplier,
        supplier_reference=supplier_reference,
        status=Booking.CANCELLED,
    )
    for booking in cancelled:
        poll(booking)
