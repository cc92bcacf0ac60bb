"""POST /v1/hotels/bookings/{id}/cancel: what the policy costs now first, then the cancellation, then the refund."""

from dataclasses import replace
from datetime import datetime

from apps.bookings.handlers import Outcome, QuotedCancelHandler, tell_of_full_credit
from apps.bookings.models import Booking, Operation
from apps.hotels.details import StayDetails
from apps.hotels.models import CorrectionStatus
from apps.hotels.rules import stay_steps
from apps.hotels.services.book import HotelHandler
from apps.hotels.services.change import look_at_old_stays, refuse_if_changed_late
from apps.hotels.services.correct_guest import (
    close,
    follow_correction,
    hand_over_when_due,
    with_correction,
)
from apps.hotels.services.hotel_changes import keep_what_hotel_says
from apps.hotels.suppliers.base import Cancellation, HotelSupplier
from apps.suppliers.results import PenaltySteps
from apps.suppliers.values import to_json


class CancelStay(HotelHandler, QuotedCancelHandler[HotelSupplier, Cancellation]):
    """The operation that cancels a booking; a non-refundable one costs its whole price."""

    quote_type = Cancellation

    def penalty_steps(self, booking: Booking) -> PenaltySteps | None:
        details = StayDetails.of(booking)
        begins_at, lost = self.service(booking).begins_at, details.given_up_cents
        return stay_steps(details.penalty_steps, begins_at, booking.total_cents, lost)

    def given_up_cents(self, booking: Booking) -> int:
        return StayDetails.of(booking).given_up_cents

    def ask_quote(self, booking: Booking, fault: str = "") -> Cancellation:
        supplier = self.supplier_of(booking, fault)
        return supplier.quote_cancellation(booking.supplier_reference, policy_of(booking))

    def cancel(self, operation: Operation, fault: str) -> Cancellation:
        booking = operation.booking
        return self.supplier(operation, fault).cancel(
            operation.client_ref, booking.supplier_reference, self.quote(operation), policy_of(booking)
        )

    def cancelled_by_supplier(self, booking: Booking) -> Cancellation | None:
        """What the supplier says that the hotel keeps; nothing where it does not say, or in another currency than the booking's.

        Of a stay that stands, what the hotel says now is stored: its confirmation number, which some give only days after the
        booking, what it altered, and whether it has corrected a name.
        """
        supplier = self.supplier_of(booking)
        try:
            stay = supplier.read_booking(booking.supplier_reference, policy_of(booking))
            if not stay.cancelled:
                keep_what_hotel_says(booking, stay)
                follow_correction(supplier, booking)
                look_at_old_stays(booking)
                return None
        finally:
            hand_over_when_due(booking)
        refuse_if_changed_late(booking)
        penalty = min(stay.penalty_cents or 0, booking.total_cents)
        if stay.currency != booking.currency:
            penalty = 0
            tell_of_full_credit(booking, booking.supplier_reference)
        return Cancellation(penalty, booking.total_cents - penalty, booking.currency)

    def outcome(self, operation: Operation, result: Cancellation) -> Outcome:
        """With it ends a correction that is open."""
        outcome, booking = super().outcome(operation, result), operation.booking
        ended = with_correction(StayDetails.of(booking), CorrectionStatus.NOT_DONE, booking.now())
        if ended is None:
            return outcome
        return replace(
            outcome, details=to_json(ended), store=lambda stored: close(stored, CorrectionStatus.NOT_DONE)
        )

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        return self.service(booking).begins_at


def policy_of(booking: Booking) -> str:
    """The terms as the supplier gave them at the booking."""
    return StayDetails.of(booking).cancellation_policy
