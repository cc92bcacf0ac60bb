"""A booking of any product, as the list of all bookings has it: what its own product's list shows, and which product that is."""

from apps.bookings.models import Product
from apps.esim.serializers import EsimOrderAnswer
from apps.flights.serializers import FlightOrderAnswer
from apps.gateway import fields
from apps.gateway.serializers import page_with
from apps.hotels.serializers import HotelBookingAnswer
from apps.transfers.serializers import TransferOrderAnswer


class ListedHotelBookingAnswer(HotelBookingAnswer):
    """A hotel booking in the list of all bookings."""

    bookingType = fields.Constant(Product.HOTEL, logged=True, help_text="That it is a hotel booking.")


class ListedFlightOrderAnswer(FlightOrderAnswer):
    """A flight order in the list of all bookings."""

    bookingType = fields.Constant(Product.FLIGHT, logged=True, help_text="That it is a flight order.")


class ListedTransferOrderAnswer(TransferOrderAnswer):
    """A transfer order in the list of all bookings."""

    bookingType = fields.Constant(Product.TRANSFER, logged=True, help_text="That it is a transfer order.")


class ListedEsimOrderAnswer(EsimOrderAnswer):
    """An eSIM order in the list of all bookings."""

    bookingType = fields.Constant(Product.ESIM, logged=True, help_text="That it is an eSIM order.")


AnyBookingPage = page_with(
    fields.Many(
        child=fields.OneOf(
            "bookingType",
            {
                Product.HOTEL: ListedHotelBookingAnswer,
                Product.FLIGHT: ListedFlightOrderAnswer,
                Product.TRANSFER: ListedTransferOrderAnswer,
                Product.ESIM: ListedEsimOrderAnswer,
            },
        ),
        help_text=(
            "The bookings of this page, newest first. Each has the form of its product's own list, plus `bookingType`. Empty: "
            "none match."
        ),
    ),
    "AnyBookingPage",
    __name__,
)
