"""Bookings of all four products: the list, and the page of one booking with what cancelling it would cost."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.bookings.browsing import any_booking_of, page_of_bookings, selected
from apps.bookings.models import Booking, Product
from apps.bookings.services.cancel import STANDING
from apps.bookings.services.cancel_for_member import new_key
from apps.bookings.services.preview import preview_cancellation
from apps.common.errors import GatewayError
from apps.keys.offered import is_sold
from apps.portal.bookings.erase import may_be_erased
from apps.portal.bookings.facts import COPIED, facts_of
from apps.portal.bookings.forms import STATUSES, BookingFilters
from apps.portal.bookings.history import history_of
from apps.portal.bookings.timeline import booking_timeline
from apps.portal.context import DEVELOPERS, FINANCE, OWNERS
from apps.portal.form_views import ObjectView
from apps.portal.list_tabs import tabs_of
from apps.portal.list_view import ListView
from apps.sandbox.simulate import possible_now

SOLD_AS = {
    Product.HOTEL: "hotels",
    Product.FLIGHT: "flights",
    Product.TRANSFER: "transfers",
    Product.ESIM: "esim",
}


class BookingListView(ListView):
    list_name = "bookings"
    section = "bookings"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        products = products_to_choose(portal.account_id, portal.environment)
        form = BookingFilters(request.GET, products=products)
        if self.newest_seen is not None:
            return self.count_newer(selected(portal.account_id, portal.environment, form.filters()))
        page = page_of_bookings(
            portal.account_id, portal.environment, filters=form.filters(), cursor=self.cursor
        )
        listed = {
            status: selected(portal.account_id, portal.environment, form.filters(status=status))
            for status in STATUSES
        }
        tabs = tabs_of(STATUSES, listed, form.value("status"))
        return self.render_list("portal/bookings/index.html", form, page, tabs=tabs)


def products_to_choose(account_id: str, environment: str) -> set[str]:
    """Those that are sold here, and those that the account has booked before."""
    products: set[str] = {product for product in Product if is_sold(SOLD_AS[product])}
    if products < set(Product.values):
        booked = Booking.objects.filter(account_id=account_id, environment=environment)
        products |= set(booked.order_by().values_list("product", flat=True).distinct())
    return products


class BookingView(ObjectView[Booking]):
    """A page about one booking."""

    section = "bookings"

    def get_object(self, booking_id: str) -> Booking:
        return any_booking_of(self.portal.account_id, self.portal.environment, booking_id)

    def address_of(self, booking: Booking) -> str:
        return self.portal.reverse("booking", booking_id=booking.pk)


class BookingDetailView(BookingView):
    allowed_roles_to_post = DEVELOPERS | FINANCE  # a POST changes nothing, but it calls the supplier

    def get(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        return self.page(self.object_or_404(booking_id=booking_id))

    def post(self, request: HttpRequest, booking_id: str) -> HttpResponse:
        """Ask the supplier what cancelling would cost now. It is a button because it makes a call to the supplier."""
        booking = self.object_or_404(booking_id=booking_id)
        try:
            return self.page(booking, preview=preview_cancellation(booking), cancel_key=new_key())
        except GatewayError as error:
            return self.page(booking, refused=error)

    def page(self, booking: Booking, **answer: Any) -> HttpResponse:
        facts, history = facts_of(booking), history_of(booking)
        return self.render(
            "portal/bookings/detail.html",
            {
                "booking": booking,
                "headline": facts[0][1],
                "facts": facts,
                "copied_facts": COPIED,
                "history": history,
                "timeline": booking_timeline(self.portal, history),
                "has_a_price": booking.status in STANDING and booking.product != "esim",
                "simulations": possible_now(booking, owed=bool(history.settlements))
                if self.portal.has_role(DEVELOPERS)
                else [],
                "may_erase": self.portal.has_role(OWNERS) and may_be_erased(history),
                "may_change": self.portal.has_role(DEVELOPERS),
                "may_ask": self.portal.has_role(DEVELOPERS | FINANCE),
                **answer,
            },
        )
