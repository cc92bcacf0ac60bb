"""The documents of a booking and of its trip: the small form that asks for one, and the file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from apps.bookings.models import Booking, Product
from apps.common.errors import GatewayError, InvalidRequest
from apps.documents.asked import Asked, Form, Kind, Prices
from apps.documents.data import Document
from apps.documents.making import document_of, file_of, kinds_of, refuse_without
from apps.esim.details import OrderDetails
from apps.portal.base import PortalView
from apps.portal.bookings.actions import BookingView
from apps.trips.documents import document_of_trip

LANGUAGES = (
    *(("en", "English"), ("de", "Deutsch"), ("fr", "Français")),
    *(("es", "Español"), ("pt", "Português"), ("it", "Italiano")),
)
OF_TRIP = "trip-"
"""Before the kind, for a document of the whole trip."""
NAMES = {
    Kind.VOUCHER: ("Voucher", "Vouchers of the whole trip"),
    Kind.ITINERARY: ("Itinerary", "Itinerary of the whole trip"),
    Kind.RECEIPT: ("Receipt", "Receipts of the whole trip"),
}
PRICES = {
    Prices.NONE: "Not shown",
    Prices.NET: "What you pay",
    Prices.SOLD: "What you sold it for",
}
Choices = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class DocumentChoices:
    """What the form offers. `trip`: of the trip alone, by its reference."""

    kinds: Choices
    prices: Choices
    trip: str = ""
    languages = LANGUAGES

    @classmethod
    def of(cls, booking: Booking) -> "DocumentChoices | None":
        """None where neither the booking nor its trip has a document."""
        kinds = [] if is_top_up(booking) else kinds_of(booking)
        choices: Choices = [(kind.value, NAMES[kind][0]) for kind in kinds]
        if booking.trip_reference:
            choices += of_trip(OF_TRIP)
        sold = booking.sold_for_cents is not None
        prices = [(one.value, name) for one, name in PRICES.items() if sold or one != Prices.SOLD]
        return cls(choices, prices) if choices else None

    @classmethod
    def of_trip(cls, trip: str) -> "DocumentChoices":
        return cls(of_trip(), [(one.value, name) for one, name in PRICES.items()], trip)


def of_trip(before: str = "") -> Choices:
    kinds = (Kind.ITINERARY, Kind.VOUCHER, Kind.RECEIPT)
    return [(f"{before}{kind}", NAMES[kind][1]) for kind in kinds]


def is_top_up(booking: Booking) -> bool:
    return booking.product == Product.ESIM and OrderDetails.of(booking).top_up_of is not None


class BookingDocumentView(BookingView):
    """The file of one booking, or of its trip. A refusal is shown on the booking's page."""

    def get(self, request: HttpRequest) -> HttpResponse:
        booking, kind = self.object, request.GET.get("type", "")

        def make(asked: Asked) -> Document:
            if kind.startswith(OF_TRIP):
                return document_of_trip(*self.portal.stored, Product, booking.trip_reference or "", asked)
            if is_top_up(booking):
                raise InvalidRequest
            refuse_without(booking, asked)
            return document_of(booking, asked)

        try:
            return response_of(make, request.GET)
        except GatewayError as refused:
            messages.error(request, refused.message)
            return self.back()


class TripDocumentView(PortalView):
    """The file of a trip. A refusal is shown on the list of its bookings."""

    section = "bookings"

    def get(self, request: HttpRequest) -> HttpResponse:
        trip = request.GET.get("trip", "")
        try:
            return response_of(
                lambda asked: document_of_trip(*self.portal.stored, Product, trip, asked), request.GET
            )
        except GatewayError as refused:
            messages.error(request, refused.message)
            address = reverse("portal:bookings", args=[self.portal.environment])
            return redirect(f"{address}?{urlencode({'trip': trip})}")


def response_of(make: Callable[[Asked], Document], given: QueryDict) -> HttpResponse:
    """Raises GatewayError: InvalidRequest for what the form does not offer."""
    asked = asked_in(given)
    file = file_of(lambda: make(asked), asked.form)
    return HttpResponse(file.content, content_type=file.media_type, headers=dict(file.headers))


def asked_in(given: QueryDict) -> Asked:
    def one_of(name: str, known: Iterable[str]) -> str:
        value = given.get(name, "").removeprefix(OF_TRIP)
        if value not in known:
            raise InvalidRequest("Choose the document again.", ours=True)
        return value

    return Asked(
        Kind(one_of("type", list(Kind))),
        Form(one_of("format", list(Form))),
        one_of("language", dict(LANGUAGES)),
        Prices(one_of("prices", list(Prices))),
    )
