"""The page on which an owner has the travellers of a booking forgotten."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse

from apps.bookings.browsing import any_booking_of
from apps.bookings.models import OPEN_STATES, Booking
from apps.bookings.services.erase import erase_travellers, last_service
from apps.bookings.travellers.declared import travellers_of
from apps.portal.bookings.history import BookingHistory
from apps.portal.context import OWNERS
from apps.portal.form_views import ConfirmView, Question


class EraseView(ConfirmView[Booking]):
    section = "bookings"
    allowed_roles = allowed_roles_to_post = OWNERS

    def get_object(self, booking_id: str) -> Booking:
        return any_booking_of(self.portal.account_id, self.portal.environment, booking_id)

    def address_of(self, booking: Booking) -> str:
        return self.portal.reverse("booking", booking_id=booking.pk)

    def question(self, booking: Booking) -> Question:
        return Question(
            heading="Erase the travellers?",
            warning=f"Names, birth dates and contacts of {booking.reference} are destroyed.",
            consequences=[
                "It cannot be taken back. Backups forget them with the next change of our keys.",
                "The booking, its money and its events stay. The API then answers it with redacted: true.",
                "The supplier is not told. What it holds is a matter between you and it.",
            ],
            button="Erase the travellers",
        )

    def change(self, booking: Booking, form: forms.Form) -> HttpResponse:
        if not erase_travellers(booking=booking, erased_by=self.actor):
            messages.info(self.request, "The travellers were erased before.")
            return self.back(booking)
        return self.done(booking, "The travellers are erased.")


def may_be_erased(history: BookingHistory) -> bool:
    """Whether the booking's page offers it now: what `refuse_too_early` asks, answered by what the page has read."""
    booking = history.booking
    if booking.erased_at is not None or travellers_of(booking.product) is None:
        return False
    under_way = any(operation.state in OPEN_STATES for operation in history.operations)
    if booking.status == Booking.PENDING or under_way or history.settlements:
        return False
    return last_service(booking) <= booking.now()
