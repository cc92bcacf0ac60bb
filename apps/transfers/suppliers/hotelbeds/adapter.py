"""Hotelbeds' transfers behind our promise."""

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import cache

from django.conf import settings

from apps.common import clock
from apps.suppliers.alerts import alert
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    NotPossible,
    OutcomeUnknown,
    PriceChanged,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.results import Found
from apps.transfers.suppliers.base import (
    Cancellation,
    OrderRequest,
    TransferOffer,
    TransferOrder,
    TransferSearch,
)
from apps.transfers.suppliers.clocks import clock_of
from apps.transfers.suppliers.hotelbeds.client import LANGUAGE, NAME, HotelbedsClient
from apps.transfers.suppliers.hotelbeds.lost_orders import find_lost
from apps.transfers.suppliers.hotelbeds.money import order_amount
from apps.transfers.suppliers.hotelbeds.offers import INSTRUCTIONS, amount_of, offers_of, same_service, told
from apps.transfers.suppliers.hotelbeds.orders import Booking, body_of, cancellation_of, order_of
from apps.transfers.suppliers.hotelbeds.points import ends_of
from apps.transfers.suppliers.hotelbeds.terminals import transfer_details

CHECKED_AT = "checkedAt"
STAYS_FRESH = timedelta(seconds=60)


class HotelbedsTransfers:
    """Fulfils TransferSupplier. No price is locked, and none is said to have changed: availability is asked again just before."""

    name = NAME

    def __init__(self, client: HotelbedsClient) -> None:
        self.client = client

    def search(self, request: TransferSearch) -> Found[TransferOffer]:
        offers = self._offers(request)
        wanted = [offer for offer in offers if request.vehicle_class in (None, offer.vehicle.category)]
        return Found(wanted[: request.limit], offers.withheld)

    def reprice(self, request: TransferSearch, offer: TransferOffer) -> TransferOffer:
        """With a fresh rate key, good for booking at once."""
        try:
            current = same_service(self._offers(request), offer)
        except InvalidField as error:  # a field of the search, which is over: no order can set it right
            raise Rejected(str(error)) from error
        if current is None or current.currency != amount_of(offer).currency:
            raise Expired("the service is sold out")
        data = {**current.supplier_data, CHECKED_AT: clock.now().isoformat()}
        return replace(current, supplier_data=data)

    def refuse_lacking(self, request: OrderRequest) -> None:
        ends_of(request.search)
        transfer_details(request.search, request.flight_number)

    def book(self, request: OrderRequest) -> TransferOrder:
        offer = request.offer if is_fresh(request.offer) else self.reprice(request.search, request.offer)
        if amount_of(offer).value > amount_of(request.offer).value:
            raise PriceChanged(amount_of(offer).cents)
        booking = self.client.book(body_of(replace(request, offer=offer), language=LANGUAGE))
        self._compare(booking, offer)
        return written(booking, told(offer, INSTRUCTIONS), clock_of(request.search))

    def find_order(self, client_ref: str, request: OrderRequest) -> TransferOrder | None:
        booking = find_lost(self.client, client_ref, request)
        if booking is None:
            return None
        order = order_of(booking, clock.now(), told(request.offer, INSTRUCTIONS), clock_of(request.search))
        if order.cancellation is None:
            self._compare(booking, request.offer)
        return order

    def read_order(self, supplier_reference: str) -> TransferOrder:
        """Without instructions where they tell none: those of the offer are not at hand here."""
        return order_of(self.client.detail(supplier_reference), clock.now(), "")

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        """Read first: what is simulated for a cancelled order is not documented."""
        order = self.read_order(supplier_reference)
        if order.cancellation is not None:
            raise NotPossible("The order is cancelled.")
        simulated = cancellation_of(self.client.simulated_cancellation(supplier_reference))
        return within(order.total_cents, simulated)

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        now = cancellation_of(self.client.simulated_cancellation(supplier_reference))
        if now.currency != quote.currency or now.penalty_cents > quote.penalty_cents:
            raise NotPossible("Cancelling costs more by now.")
        try:
            booking = self.client.cancel(supplier_reference)
        except NotPossible as refused:
            return agreed(supplier_reference, quote, self._cancelled_after_all(supplier_reference, refused))
        done = written(booking).cancellation
        if done is None:
            raise OutcomeUnknown("Hotelbeds: answered with an order that stands")
        return agreed(supplier_reference, quote, done)

    def find_cancellation(self, client_ref: str, supplier_reference: str) -> Cancellation | None:
        return self.read_order(supplier_reference).cancellation

    def prove(self) -> str:
        """What was proved: that the credentials are let in, by the cheapest call there is."""
        today = clock.today()
        self.client.page(date_type="FROM_DATE", first=today, last=today, offset=None, limit=1)
        return "credentials accepted" + (
            "" if self.client.live else " for testing: what it sells is not real"
        )

    def _offers(self, request: TransferSearch) -> Found[TransferOffer]:
        return offers_of(self.client.availability(request), request, clock.now())

    def _cancelled_after_all(self, reference: str, refused: NotPossible) -> Cancellation:
        """What counts is how the order stands. Raises `refused` where it does stand."""
        try:
            found = self.read_order(reference).cancellation
        except SupplierError as error:
            raise OutcomeUnknown(str(error)) from error
        if found is None:
            raise refused
        return found

    @staticmethod
    def _compare(booking: Booking, offer: TransferOffer) -> None:
        """Staff are told of an order that costs more than its offer. A cheaper one is no trouble: many are."""
        booked, offered = order_amount(booking), amount_of(offer)
        if booked is None or booked.currency != offered.currency or booked.value > offered.value:
            said = f"{booked.value} {booked.currency}" if booked else "an unreadable price"
            alert(
                NAME,
                "price_above_quote",
                f"{booking['reference']}: {said} instead of {offered.value} {offered.currency}",
            )


def written(booking: Booking, instructions: str = "", there: tzinfo | None = None) -> TransferOrder:
    """What a write answered. What was taken and is not confirmed yet is looked up later."""
    try:
        return order_of(booking, clock.now(), instructions, there)
    except Unavailable as error:
        raise OutcomeUnknown(str(error)) from error


def is_fresh(offer: TransferOffer) -> bool:
    """Whether it was asked for just now: an order that was re-priced is booked with that very rate key."""
    checked_at = offer.supplier_data.get(CHECKED_AT)
    return checked_at is not None and clock.now() - datetime.fromisoformat(checked_at) < STAYS_FRESH


def hotelbeds_transfers() -> HotelbedsTransfers:
    """With this deployment's credentials."""
    credentials = settings.SUPPLIER_CREDENTIALS[NAME]
    return HotelbedsTransfers(_client(credentials["key"], credentials["secret"], credentials["base_url"]))


@cache
def _client(key: str, secret: str, base_url: str) -> HotelbedsClient:
    return HotelbedsClient(key=key, secret=secret, base_url=base_url)


def agreed(reference: str, quote: Cancellation, done: Cancellation) -> Cancellation:
    """What was done, for no more than was quoted: staff are told where it was more."""
    if done.penalty_cents > quote.penalty_cents:
        alert(NAME, "price_above_quote", f"{reference}: cancelled for more than was simulated")
        return quote
    return within(quote.penalty_cents + quote.refund_cents, done)


def within(total_cents: int, cancellation: Cancellation) -> Cancellation:
    """The penalty as a part of what the order costs."""
    total = max(total_cents, cancellation.penalty_cents)
    return replace(cancellation, refund_cents=total - cancellation.penalty_cents)
