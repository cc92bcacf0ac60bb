"""Hotels from LiteAPI: fulfils HotelSupplier over its two hosts."""

import time
from contextlib import suppress
from datetime import date
from typing import Any

from apps.hotels.suppliers.base import Cancellation, HotelOffer, Rate, Stay, StayRequest, StaySearch
from apps.hotels.suppliers.liteapi import facts, offers, questions, stays
from apps.hotels.suppliers.liteapi.amounts import net_of_booking, number
from apps.hotels.suppliers.liteapi.client import LiteApiClient
from apps.hotels.suppliers.liteapi.errors import (
    BOOK,
    CANCEL,
    NAME,
    PREBOOK,
    READ,
    SEARCH,
    UNREADABLE,
    NotTaken,
    Refused,
    readable,
)
from apps.suppliers.alerts import alert
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    PriceChanged,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import AlertKind
from apps.suppliers.results import NONE_WITHHELD, Found
from apps.suppliers.values import replaced

NOBODYS_REFERENCE, ANY_HOTEL = "H-CHECK", "lp1897"
PATIENCE_SECONDS = 8.0
"""How long a search goes on from city to city while it has too few hotels."""


class LiteApiHotels:
    """Its guard against doubles is our reference alone: a prebook can be booked again and again."""

    name = NAME

    def __init__(self, client: LiteApiClient) -> None:
        self.client = client

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        """A city that does not answer is forgiven where another did."""
        ends = time.monotonic() + PATIENCE_SECONDS
        found: dict[str, HotelOffer] = {}
        withheld = NONE_WITHHELD
        for question in questions.searches(request):
            try:
                offers = self._asked(question, request)
                found |= {offer.hotel.hotel_id: offer for offer in offers}
                withheld += offers.withheld
            except Unavailable:
                if not found:
                    raise
            if len(found) >= request.limit or time.monotonic() > ends:
                break
        return Found(facts.with_facts(list(found.values())[: request.limit]), withheld)

    def check_rate(self, rate: Rate) -> Rate:
        """A prebook: the rate then carries its id, and is to be kept before it is booked."""
        if "offer_id" not in rate.supplier_data:
            raise Expired("the rate is none of LiteAPI's")
        prebook = self.client.prebook(rate.supplier_data["offer_id"])
        with readable(PREBOOK):
            return offers.confirmed_rate(rate, prebook)

    def book(self, request: StayRequest) -> Stay:
        """Raises PriceChanged where the rate was not checked before and is dearer by now."""
        if "prebook_id" not in request.rate.supplier_data:
            request = replaced(request, rate=self._unchanged(request.rate))
        try:
            booking = self.client.book(questions.booking(request))
        except Refused as refusal:
            return self._found_after(refusal, request)
        with readable(BOOK):
            if stays.status_of(booking) != stays.CONFIRMED:
                raise OutcomeUnknown("LiteAPI took it on without confirming it")
            return self._booked(booking, request.rate)

    def find_booking(self, client_ref: str, rate: Rate) -> Stay | None:
        """By our reference, compared here once more. Of several, which must not be, the first that stands."""
        with readable(READ):
            listed = self.client.bookings_of(client_ref)
            found = [one for one in listed if stays.reference_of(one) in (None, client_ref)]
            if len(found) > 1:
                alert(NAME, AlertKind.DUPLICATE_REFERENCE, client_ref)
            found.sort(key=lambda one: stays.status_of(one) != stays.CONFIRMED)
            if not found:
                return None
            booking = self.client.booking(stays.id_of(found[0]))
            if stays.status_of(booking) in stays.FAILED or stays.reference_of(booking) not in (
                None,
                client_ref,
            ):
                return None
            return self._booked(self._final(booking), rate)

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            return stays.stay_of(self._final(booking), policy)

    def quote_cancellation(self, supplier_reference: str, policy: str = "") -> Cancellation:
        _, quote = self._standing(supplier_reference, policy)
        return quote

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        """Read once more first: another step of the policy may have begun since the quote."""
        booking, current = self._standing(supplier_reference, policy)
        if current.penalty_cents > quote.penalty_cents:
            raise NotPossible("cancelling costs more by now; nothing was cancelled")
        answer = self.client.cancel(supplier_reference)
        with readable(CANCEL):
            if not stays.is_cancelled(answer):
                raise OutcomeUnknown("LiteAPI answered, but not that it is cancelled")
            done = stays.cancellation_told(answer, net_of_booking(booking), current)
        return self._as_quoted(done, quote, supplier_reference)

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation | None = None
    ) -> Cancellation | None:
        """Their cancellations bear no reference of ours: whether the booking is cancelled is all there is to know."""
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            if not stays.is_cancelled(booking):
                return None
            done = stays.cancellation_of(booking, quote=quote)
        return done if quote is None else self._as_quoted(done, quote, supplier_reference)

    def learn(self) -> int:
        return facts.learn(self.client)

    def standing(self, first: date, last: date) -> dict[str, str]:
        """Theirs by our references, of what was booked from one day to another and stands. An item that cannot be read hides
        no other; where none can, the list says nothing.
        """
        made = self.client.bookings_made(first, last)
        found, unreadable = {}, 0
        for one in made:
            try:
                pair = stays.standing_of(one)
            except UNREADABLE:
                unreadable += 1
                continue
            if pair is not None:
                found[pair[0]] = pair[1]
        if made and unreadable == len(made):
            raise Unavailable("LiteAPI listed its bookings in a form that is not known")
        return found

    def prove(self) -> str:
        """One cheap read of each host. Raises Unavailable where the key does not let us in."""
        self.client.bookings_of(NOBODYS_REFERENCE)
        with suppress(Missing):
            self.client.hotel(ANY_HOTEL)
        return "both hosts answer"

    def _asked(self, question: dict[str, Any], request: StaySearch) -> Found[HotelOffer]:
        """Raises InvalidField for a value of the partner's that they do not take."""
        try:
            answer = self.client.rates(question)
        except NotTaken as refusal:
            field = questions.refused_field(refusal.told, request)
            if field is None:
                raise
            raise InvalidField(field, "is not taken by the supplier of the hotels") from refusal
        with readable(SEARCH):
            return offers.offers(answer, request)

    def _unchanged(self, rate: Rate) -> Rate:
        """The rate, ready to be booked. Raises PriceChanged."""
        current = self.check_rate(rate)
        if number(current.supplier_data["amount"]) > number(rate.supplier_data["amount"]):
            raise PriceChanged(current.total_cents)
        return current

    def _booked(self, booking: Any, rate: Rate) -> Stay:
        """The booking, and an alert where it costs us more than its prebook said."""
        stay = stays.stay_of(booking, rate.cancellation_policy)
        if net_of_booking(booking).amount > number(rate.supplier_data["amount"]):
            alert(NAME, AlertKind.PRICE_ABOVE_QUOTE, stay.supplier_reference)
        return stay

    def _as_quoted(self, done: Cancellation, quote: Cancellation, supplier_reference: str) -> Cancellation:
        """What cancelling cost, and no more than was quoted: the partner had agreed to that. Staff are told of the rest."""
        if done.penalty_cents <= quote.penalty_cents:
            return done
        alert(NAME, AlertKind.PRICE_ABOVE_QUOTE, f"the fee of cancelling {supplier_reference}")
        whole = done.penalty_cents + done.refund_cents
        return Cancellation(quote.penalty_cents, whole - quote.penalty_cents, done.currency)

    def _found_after(self, refusal: Rejected, request: StayRequest) -> Stay:
        """They say that nothing was booked; one look says whether it is so. Raises the refusal."""
        try:
            stay = self.find_booking(request.client_ref, request.rate)
        except SupplierError as error:
            raise OutcomeUnknown("refused, and nobody answers whether it was") from error
        if stay is None or stay.cancelled:
            raise refusal
        return stay

    def _final(self, booking: Any) -> Any:
        """A booking in a state that tells its end. Raises Unavailable."""
        if stays.status_of(booking) == stays.CONFIRMED or stays.is_cancelled(booking):
            return booking
        raise Unavailable("LiteAPI has not decided yet")

    def _standing(self, supplier_reference: str, policy: str) -> tuple[Any, Cancellation]:
        """The booking and what cancelling it costs now. Raises Missing; NotPossible where it no longer stands."""
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            if stays.is_cancelled(booking):
                raise NotPossible("the booking is cancelled")
            return booking, stays.quote_of(self._final(booking), policy)


def lite_api() -> LiteApiHotels:
    """The connector with this deployment's credentials."""
    return LiteApiHotels(LiteApiClient.configured())
