"""POST /v1/hotels/bookings/{id}/cancel: what the policy costs now first, then the cancellation, then the refund."""

from datetime import UTC, date, datetime, time, timedelta

from apps.bookings.models import Booking, Operation
from apps.bookings.product_handlers import QuotedCancelHandler, tell_of_full_credit
from apps.bookings.trade_rules import Service
from apps.hotels.details import StayDetails
from apps.hotels.services.handlers import HotelHandler
from apps.hotels.services.hotel_changes import keep_what_hotel_says
from apps.hotels.suppliers.base import Cancellation, HotelSupplier
from apps.suppliers.airports import nearest


class CancelStay(HotelHandler, QuotedCancelHandler[HotelSupplier, Cancellation]):
    """The operation that cancels a booking; a non-refundable one costs its whole price."""

    quote_type = Cancellation

    def ask_quote(self, booking: Booking) -> Cancellation:
        return self.supplier_of(booking).quote_cancellation(booking.supplier_reference, policy_of(booking))

    def call(self, operation: Operation, fault: str) -> Cancellation:
        booking = operation.booking
        return self.supplier(operation, fault).cancel(
            operation.client_ref, booking.supplier_reference, self.quote(operation), policy_of(booking)
        )

    def cancelled_by_supplier(self, booking: Booking) -> Cancellation | None:
        """What the supplier says that the hotel keeps; nothing where it does not say, or in another currency than the booking's.

        Of a stay that stands, what the hotel says now is stored: its confirmation number, which some give only days after the
        booking, and what it altered.
        """
        stay = self.supplier_of(booking).read_booking(booking.supplier_reference, policy_of(booking))
        if not stay.cancelled:
            keep_what_hotel_says(booking, stay)
            return None
        penalty = min(stay.penalty_cents or 0, booking.total_cents)
        if stay.currency != booking.currency:
            penalty = 0
            tell_of_full_credit(booking, booking.supplier_reference)
        return Cancellation(penalty, booking.total_cents - penalty, booking.currency)

    def service(self, booking: Booking) -> Service:
        return stayed(StayDetails.of(booking))

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """The day of the check-in, in UTC: the hotel's own time zone is not known here."""
        return datetime.combine(StayDetails.of(booking).check_in, time(), UTC)


def stayed(details: StayDetails) -> Service:
    """When a stay takes place, by the clock of the airport nearest to the hotel."""
    hotel = details.hotel
    zone = nearest(round(hotel.latitude), round(hotel.longitude)).clock

    def at(day: date, hour: time) -> datetime:
        return datetime.combine(day, hour, zone)

    return Service(
        sold_until=at(details.check_in + timedelta(days=1), time()),
        begins_at=at(details.check_in, time(15)),
        ends_at=at(details.check_out, time(12)),
    )


def policy_of(booking: Booking) -> str:
    """The terms as the supplier gave them at the booking."""
    return StayDetails.of(booking).cancellation_policy
