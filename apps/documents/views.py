"""GET /v1/…/{id}/document: what a partner hands out for a booking, of every product."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from apps.bookings.models import Booking, Product
from apps.bookings.selectors import booking_of
from apps.common import errors
from apps.documents.asked import Asked, Form, Kind, Prices
from apps.documents.data import Document
from apps.documents.making import HTML, PDF, document_of, file_of, refuse_without
from apps.documents.words import LANGUAGES
from apps.esim.selectors import order_of
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet

LONGEST_TAG = 35
TAG = re.compile("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
"""A language, then its subtags (RFC 5646)."""


def type_parameter(otherwise: Kind) -> QueryParameter:
    return QueryParameter(
        "type",
        {"type": "string", "enum": [*Kind], "default": otherwise},
        "`voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: when "
        "and where, without terms. `receipt`: the payment, and the refund if it was cancelled.",
        since="1.3",
    )


FORMED = (
    QueryParameter(
        "format",
        {"type": "string", "enum": [*Form], "default": Form.PDF},
        "`pdf` (A4) or `html`, a self-contained page. The `Accept` header is ignored.",
        since="1.3",
    ),
    QueryParameter(
        "language",
        {"type": "string", "maxLength": LONGEST_TAG, "pattern": TAG.pattern, "default": "en"},
        f"A language tag such as `de` or `pt-BR`. Documents exist in {', '.join(LANGUAGES[:-1])} and {LANGUAGES[-1]}; in another "
        "language they are in English. What hotels and suppliers wrote stays as it is.",
        since="1.3",
    ),
    QueryParameter(
        "prices",
        {"type": "string", "enum": [*Prices], "default": Prices.NONE},
        "`none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; "
        "409 if it has none.",
        since="1.3",
    ),
)
"""The parameters of documents of one booking and of a trip alike."""
QUERY = (type_parameter(Kind.VOUCHER), *FORMED)
REFUSALS = (errors.InvalidRequest, errors.NotFound, errors.Conflict, errors.TravellersForgotten)
Choice = TypeVar("Choice", Kind, Form, Prices)


def declared(name: str, scope: str) -> operation:
    return operation(
        name,
        scope=scope,
        after_sale=True,
        rate_class=RateClass.READ,
        answer=None,
        files=(PDF, HTML),
        query=QUERY,
        errors=REFUSALS,
        since="1.3",
    )


class HotelDocumentViewSet(GatewayViewSet):
    handle = "The booking's id, `hbk_…`."

    @action(detail=True, methods=["get"])
    @declared("getHotelBookingDocument", "hotels:book")
    def document(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Get the voucher, the itinerary or the receipt of a hotel booking.

        As a PDF or a web page, in six languages, in your account's name. 409 `conflict` until the booking is confirmed. A
        cancelled booking has a receipt with its refund. Documents of test bookings are marked as not valid for travel.
        """
        return document_answer(request, lambda: booking_of(request.partner, Product.HOTEL, booking_id))


class FlightDocumentViewSet(GatewayViewSet):
    handle = "The order's id, `ford_…`."

    @action(detail=True, methods=["get"])
    @declared("getFlightOrderDocument", "flights:book")
    def document(self, request: PartnerRequest, order_id: str) -> Answer:
        """Get the confirmation, the itinerary or the receipt of a flight order.

        As for hotels: with the legs, the passengers and their tickets, bags and seats. 409 `conflict` while the order is on hold.
        """
        return document_answer(request, lambda: booking_of(request.partner, Product.FLIGHT, order_id))


class TransferDocumentViewSet(GatewayViewSet):
    lookup_url_kwarg = "orderId"
    handle = "The order's id, `tord_…`."

    @action(detail=True, methods=["get"])
    @declared("getTransferOrderDocument", "transfers:book")
    def document(self, request: PartnerRequest, order_id: str) -> Answer:
        """Get the voucher, the itinerary or the receipt of a transfer order.

        As for hotels: with the pick-up, how to find the driver, and the company that provides the ride.
        """
        return document_answer(request, lambda: booking_of(request.partner, Product.TRANSFER, order_id))


class EsimDocumentViewSet(GatewayViewSet):
    handle = "The order's id, `eord_…`."

    @action(detail=True, methods=["get"])
    @declared("getEsimOrderDocument", "esim:read")
    def document(self, request: PartnerRequest, order_id: str) -> Answer:
        """Get the QR code with its steps, the itinerary or the receipt of an eSIM order.

        As for hotels: with the QR code, the activation code and the steps to install it.
        """
        return document_answer(request, lambda: order_of(request.partner, order_id))


# --- What is asked for ----------------------------------------------------------------------------------------------------
def asked_in(
    request: PartnerRequest, otherwise: Kind = Kind.VOUCHER, wrong: Iterable[dict[str, str]] = ()
) -> Asked:
    """Raises InvalidRequest at each parameter with a value that it does not take, after what is `wrong` with others."""
    sent = request.query_params
    details = list(wrong)

    def choice(name: str, kind: type[Choice], otherwise: Choice) -> Choice:
        value = sent.get(name)
        if value is None:
            return otherwise
        try:
            return kind(value)
        except ValueError:
            details.append({"field": name, "message": f"must be one of {', '.join(kind)}"})
            return otherwise

    language = sent.get("language", "en")
    if len(language) > LONGEST_TAG or not TAG.fullmatch(language):
        details.append({"field": "language", "message": "must be a language tag such as de or pt-BR"})
    asked = Asked(
        choice("type", Kind, otherwise),
        choice("format", Form, Form.PDF),
        language.partition("-")[0].lower(),
        choice("prices", Prices, Prices.NONE),
    )
    if details:
        raise errors.InvalidRequest(details=details)
    return asked


# --- The answer -----------------------------------------------------------------------------------------------------------
def document_answer(request: PartnerRequest, find: Callable[[], Booking]) -> Answer:
    """What is asked for is looked at before the booking is (contract §2)."""
    asked = asked_in(request)
    booking = find()
    refuse_without(booking, asked)
    return file_answer(lambda: document_of(booking, asked), asked)


def file_answer(make: Callable[[], Document], asked: Asked) -> Answer:
    file = file_of(make, asked.form)
    answer = Answer(file.content, headers=file.headers)
    answer.content_type = file.media_type
    return answer
