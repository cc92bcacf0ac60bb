"""Bookings of all four products: the list, one booking's story, and what cancelling it would cost."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from apps.bookings.browsing import any_booking_of, page_of_bookings
from apps.bookings.models import Booking as Booked
from apps.bookings.services.cancel import STANDING
from apps.bookings.services.preview import preview_cancellation
from apps.gateway.errors import GatewayError, NotFound
from apps.portal.booking_facts import facts_of
from apps.portal.booking_story import story_of
from apps.portal.forms.bookings import BookingFilters
from apps.portal.place import DEVELOPERS, FINANCE, PortalView


class Bookings(PortalView):
    section = "bookings"

    def get(self, request: HttpRequest) -> HttpResponse:
        place, cursor = self.place, request.GET.get("cursor") or None
        form = BookingFilters(request.GET)
        form.is_valid()
        page = page_of_bookings(place.account.pk, place.environment, filters=form.filters(), cursor=cursor)
        shown = {"form": form, "page": page, "cursor": cursor, "narrowed": form.is_narrowed}
        return self.render("portal/bookings/index.html", shown)


class Booking(PortalView):
    section = "bookings"
    may_post = DEVELOPERS | FINANCE  # it changes nothing, but has the supplier asked

    def get(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        return self.page(self.booking(booking_id))

    def post(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        """What cancelling would cost now: the supplier is asked, so it is a button and not part of the page."""
        booking = self.booking(booking_id)
        try:
            return self.page(booking, preview=preview_cancellation(booking))
        except GatewayError as error:
            return self.page(booking, refused=error)

    def booking(self, booking_id: str) -> Booked:
        try:
            return any_booking_of(self.place.account.pk, self.place.environment, booking_id)
        except NotFound:
            raise Http404 from None

    def page(self, booking: Booked, **answer: Any) -> HttpResponse:
        facts = facts_of(booking)
        return self.render(
            "portal/bookings/detail.html",
            {
                "booking": booking,
                "headline": facts[0][1],
                "facts": facts,
                "story": story_of(self.place, booking),
                "has_a_price": booking.status in STANDING and booking.product != "esim",
                "may_ask": self.place.is_one_of(self.may_post),
                **answer,
            },
        )
