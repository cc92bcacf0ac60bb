"""GET /v1/…/{id}/document: what a partner hands out for a booking, of every product."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from apps.accounts.models import Account
from apps.bookings.models import Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.selectors import booking_of
from apps.bookings.travellers import is_redacted, opened
from apps.common import errors
from apps.documents.asked import Asked, Form, Kind, Prices
from apps.documents.common import Payment, Subject, composed
from apps.documents.data import Document
from apps.documents.html import html, policy
from apps.documents.labels import LANGUAGES
from apps.documents.pdf import pdf
from apps.documents.products import esim, flights, hotels, transfers
from apps.documents.seller import seller_of
from apps.documents.words import words_in
from apps.esim.selectors import order_of
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet

PDF, HTML = "application/pdf", "text/html"
DRAFTS = {
    Product.HOTEL: hotels.draft,
    Product.FLIGHT: flights.draft,
    Product.TRANSFER: transfers.draft,
    Product.ESIM: esim.draft,
}
LONGEST_TAG = 35
TAG = re.compile("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
"""A language, then its subtags (RFC 5646)."""
QUERY = (
    QueryParameter(
        "type",
        {"type": "string", "enum": [*Kind], "default": Kind.VOUCHER},
        "`voucher`: what a hotel or a driver asks for, the confirmation of a flight, the code of an eSIM. `itinerary`: "
        "when and where, without terms. `receipt`: that it was paid, and what came back if it was cancelled.",
        since="1.3",
    ),
    QueryParameter(
        "format",
        {"type": "string", "enum": [*Form], "default": Form.PDF},
        "`pdf`, A4; or `html`, a page that needs nothing from elsewhere. The `Accept` header is not looked at.",
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
        "`none`: no price, and a receipt states that it was paid. `net`: what you pay. `sold`: the booking's `soldForCents`; 409 "
        "where it has none.",
        since="1.3",
    ),
)
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

        As a PDF or a page, in six languages, in your account's name. 409 `conflict` until it is confirmed. A cancelled booking
        has a receipt with its refund. From test keys each page says that it is not valid for travel.
        """
        return document_answer(request, booking_of(request.partner, Product.HOTEL, booking_id))


class FlightDocumentViewSet(GatewayViewSet):
    handle = "The order's id, `ford_…`."

    @action(detail=True, methods=["get"])
    @declared("getFlightOrderDocument", "flights:book")
    def document(self, request: PartnerRequest, order_id: str) -> Answer:
        """Get the confirmation, the itinerary or the receipt of a flight order.

        As for hotels: with the legs, the passengers and their tickets, bags and seats. 409 `conflict` while the order is on hold.
        """
        return document_answer(request, booking_of(request.partner, Product.FLIGHT, order_id))


class TransferDocumentViewSet(GatewayViewSet):
    lookup_url_kwarg = "orderId"
    handle = "The order's id, `tord_…`."

    @action(detail=True, methods=["get"])
    @declared("getTransferOrderDocument", "transfers:book")
    def document(self, request: PartnerRequest, order_id: str) -> Answer:
        """Get the voucher, the itinerary or the receipt of a transfer order.

        As for hotels: with the pick-up, how to find the driver, and the company that provides the ride.
        """
        return document_answer(request, booking_of(request.partner, Product.TRANSFER, order_id))


class EsimDocumentViewSet(GatewayViewSet):
    handle = "The order's id, `eord_…`."

    @action(detail=True, methods=["get"])
    @declared("getEsimOrderDocument", "esim:read")
    def document(self, request: PartnerRequest, order_id: str) -> Answer:
        """Get the QR code with its steps, the itinerary or the receipt of an eSIM order.

        As for hotels: with the QR code, the activation code and the steps to install it.
        """
        return document_answer(request, order_of(request.partner, order_id))


# --- What is asked for ----------------------------------------------------------------------------------------------------
def asked_in(request: PartnerRequest) -> Asked:
    """Raises InvalidRequest at each parameter with a value that it does not take."""
    sent = request.query_params
    details: list[dict[str, str]] = []

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
        choice("type", Kind, Kind.VOUCHER),
        choice("format", Form, Form.PDF),
        language.partition("-")[0].lower(),
        choice("prices", Prices, Prices.NONE),
    )
    if details:
        raise errors.InvalidRequest(details=details)
    return asked


# --- Whether there is one -------------------------------------------------------------------------------------------------
def refuse_without(booking: Booking, asked: Asked) -> None:
    """Raises TravellersForgotten, or Conflict for a booking that has no such document."""
    opened(booking)
    if is_redacted(booking):
        raise errors.TravellersForgotten
    if booking.status == Booking.CANCELLED:
        if asked.kind != Kind.RECEIPT:
            raise errors.Conflict(
                f"The booking is cancelled: it has no {asked.kind}. Ask for type=receipt.", ours=True
            )
        if nothing_was_paid(booking):
            raise errors.Conflict("Nothing was paid for this booking: it has no receipt.", ours=True)
    elif booking.status not in Booking.STANDING or booking.status == Booking.ON_HOLD:
        raise errors.Conflict(
            f"The booking is {booking.status}: it has documents once it is confirmed.", ours=True
        )
    if asked.prices == Prices.SOLD and booking.sold_for_cents is None:
        raise errors.Conflict("The booking has no soldForCents, which prices=sold prints.", ours=True)


def nothing_was_paid(booking: Booking) -> bool:
    """Whether it was cancelled before it was paid for: neither kept nor returned."""
    stated: dict[str, Any] = booking.cancellation or {}
    return booking.total_cents > 0 and not (stated.get("penaltyCents") or stated.get("refundCents"))


# --- The answer -----------------------------------------------------------------------------------------------------------
def document_answer(request: PartnerRequest, booking: Booking) -> Answer:
    asked = asked_in(request)
    refuse_without(booking, asked)
    document = document_of(booking, asked)
    if asked.form == Form.PDF:
        return file_answer(pdf(document), PDF, f'attachment; filename="{document.name}.pdf"')
    answer = file_answer(html(document), f"{HTML}; charset=utf-8", f'inline; filename="{document.name}.html"')
    answer["Content-Security-Policy"] = policy()
    return answer


def document_of(booking: Booking, asked: Asked) -> Document:
    payment = payment_of(booking) if asked.kind == Kind.RECEIPT else None
    about = Subject(booking, asked, words_in(asked.language), payment)
    account = Account.objects.select_related("sandbox_of").get(pk=booking.account_id)
    return composed(about, DRAFTS[Product(booking.product)](about), seller_of(account))


def payment_of(booking: Booking) -> Payment:
    """When it was paid, and what for. The taxes of a price that was changed since are not known."""
    done = Operation.objects.filter(booking_id=booking.pk, state=OperationState.CONFIRMED).order_by("pk")
    quote: Mapping[str, Any] = {}
    paid_at = booking.created_at
    for kind, request, prepared, resolved_at in done.values_list(
        "kind", "request", "prepared", "resolved_at"
    ):
        if kind in (OperationKind.BOOK, OperationKind.PAY):
            paid_at = resolved_at or paid_at
        if kind == OperationKind.BOOK:
            quote = {**request, **prepared}
        elif kind in (OperationKind.CHANGE, OperationKind.SERVICES):
            quote = {}
    return Payment(paid_at, quote)


def file_answer(content: bytes, media_type: str, disposition: str) -> Answer:
    """The name in `disposition` is made of our own words and a reference: it needs no quoting."""
    answer = Answer(content, headers={"Content-Disposition": disposition})
    answer.content_type = media_type
    return answer
