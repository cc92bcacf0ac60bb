"""Hotelbeds' transfers behind our promise."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings

from apps.common import clock
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
from apps.suppliers.results import Found
from apps.transfers.suppliers.base import (
    Cancellation,
    OrderRequest,
    TransferOffer,
    TransferOrder,
    TransferSearch,
)
from apps.transfers.suppliers.hotelbeds.client import LANGUAGE, NAME, HotelbedsClient
from apps.transfers.suppliers.hotelbeds.mapping import (
    CANCELLED,
    NOTHING_KNOWN,
    UNSTATED_HERE,
    Amount,
    Booking,
    Quoted,
    amount_of,
    amount_with,
    body_of,
    cancellation_of,
    items,
    offers_of,
    order_amount,
    order_of,
    part,
    rate_keys_of,
    same_ride,
    text,
)
from apps.transfers.suppliers.hotelbeds.places import details_of_legs, ends_of, is_point

CHECKED_AT = "checkedAt"
STAYS_FRESH = timedelta(seconds=60)
CREATED, SERVICE = "CREATION_DATE", "FROM_DATE"
DAY = timedelta(days=1)
PAGE = 100
MOST_PAGES = 200


class HotelbedsTransfers:
    """Fulfils TransferSupplier. No price is locked, and none is said to have changed: availability is asked again just before."""

    name = NAME

    def __init__(self, client: HotelbedsClient) -> None:
        self.client = client

    def search(self, request: TransferSearch) -> Found[TransferOffer]:
        offers = offers_of(self.client.availability(request), request, clock.now())
        wanted = [offer for offer in offers if request.vehicle_class in (None, offer.vehicle.category)]
        return Found(wanted[: request.limit], offers.withheld)

    def reprice(self, request: TransferSearch, offer: TransferOffer) -> TransferOffer:
        """With a fresh rate key, good for booking at once."""
        try:
            current = same_ride(self.client.availability(request), request, offer, clock.now())
        except InvalidField as error:  # a field of the search, which is over: no order can set it right
            raise Rejected(str(error)) from error
        if current is None or current.currency != amount_of(offer).currency:
            raise Expired("the service is sold out")
        data = {**current.supplier_data, CHECKED_AT: clock.now().isoformat()}
        return replace(current, supplier_data=data)

    def refuse_lacking(self, request: OrderRequest) -> None:
        ends_of(request.search)
        details_of_legs(request.search, request.flight_numbers)

    def book(self, request: OrderRequest) -> TransferOrder:
        offer = request.offer if is_fresh(request.offer) else self.reprice(request.search, request.offer)
        current = replace(request, offer=offer)
        costs = amount_with(offer, request.extras)
        if costs.value > amount_with(request.offer, request.extras).value:
            raise PriceChanged(costs.cents)
        booking = self.client.book(body_of(current, language=LANGUAGE))
        if not has_all_rides(booking, current):
            raise OutcomeUnknown("Hotelbeds: other rides than were ordered")
        self._compare(booking, costs)
        return written(booking, Quoted.of(current))

    def find_order(self, client_ref: str, request: OrderRequest) -> TransferOrder | None:
        booking = find_lost(self.client, client_ref, request)
        if booking is None:
            return None
        order = order_of(booking, clock.now(), Quoted.of(request))
        if order.cancellation is None:
            if not has_all_rides(booking, request):
                raise Unavailable("Hotelbeds: other rides than were ordered")
            self._compare(booking, amount_with(request.offer, request.extras))
        return order

    def read_order(self, supplier_reference: str) -> TransferOrder:
        """Without instructions where they state none: those of the offer are not at hand here."""
        booking = self.client.detail(supplier_reference)
        order = order_of(booking, clock.now(), UNSTATED_HERE)
        if order.cancellation is None and any(is_cancelled(ride) for ride in items(booking, "transfers")):
            alert(NAME, "unknown_answer", f"{supplier_reference}: stands, and a ride of it is cancelled")
        return order

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
            raise OutcomeUnknown("Hotelbeds returned an active order")
        return agreed(supplier_reference, quote, done)

    def find_cancellation(self, client_ref: str, supplier_reference: str) -> Cancellation | None:
        return self.read_order(supplier_reference).cancellation

    def prove(self) -> str:
        """Proves that the credentials are accepted, by the cheapest call there is."""
        today = clock.today()
        self.client.page(date_type="FROM_DATE", first=today, last=today, offset=None, limit=1)
        return "credentials accepted" + (
            "" if self.client.live else " for testing: what it sells is not real"
        )

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
    def _compare(booking: Booking, offered: Amount) -> None:
        """Staff are alerted to an order that costs more than its offer; many cost less."""
        booked = order_amount(booking)
        if booked is None or booked.currency != offered.currency or booked.value > offered.value:
            said = f"{booked.value} {booked.currency}" if booked else "an unreadable price"
            expected = f"{offered.value} {offered.currency}"
            alert(NAME, "price_above_quote", f"{booking['reference']}: {said} instead of {expected}")


def has_all_rides(booking: Booking, request: OrderRequest) -> bool:
    """Whether a standing booking has the rides that were ordered, no more and no fewer; staff are alerted where not. Whether they
    keep one where they refuse the other is not documented. Of an answer without any ride nothing is concluded for one way.
    """
    standing = [ride for ride in items(booking, "transfers") if not is_cancelled(ride)]
    wanted = len(request.search.legs)
    if len(standing) == wanted or text(booking, "status") == CANCELLED or (wanted == 1 and not standing):
        return True
    said = f"{text(booking, 'reference')}: {len(standing)} rides instead of {wanted}"
    alert(NAME, "unknown_answer", said)
    return False


def is_cancelled(ride: Mapping[str, Any]) -> bool:
    return text(ride, "status") == CANCELLED


def written(booking: Booking, quoted: Quoted = NOTHING_KNOWN) -> TransferOrder:
    """What a write answered. What was taken and is not confirmed yet is looked up later."""
    try:
        return order_of(booking, clock.now(), quoted)
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
    """What was done, for no more than was quoted: staff are alerted where it was more."""
    if done.penalty_cents > quote.penalty_cents:
        alert(NAME, "price_above_quote", f"{reference}: cancelled for more than was simulated")
        return quote
    return within(quote.penalty_cents + quote.refund_cents, done)


def within(total_cents: int, cancellation: Cancellation) -> Cancellation:
    """The penalty as a part of what the order costs."""
    total = max(total_cents, cancellation.penalty_cents)
    return replace(cancellation, refund_cents=total - cancellation.penalty_cents)


# An order whose answer was lost: nothing can be looked up by our reference, so the orders of those days are searched.


def find_lost(client: HotelbedsClient, client_ref: str, request: OrderRequest) -> Booking | None:
    """The booking in full. Raises Unavailable while it is unclear which one it is."""
    found = (find_among(listed, client, client_ref, request) for listed in lists_around(client, request))
    return next((booking for booking in found if booking is not None), None)


def find_among(
    listed: list[Booking], client: HotelbedsClient, client_ref: str, request: OrderRequest
) -> Booking | None:
    named = [one for one in listed if is_named(one, client_ref)]
    if len(named) > 1:
        references = ", ".join(text(one, "reference") for one in named)
        alert(NAME, "duplicate_reference", f"{client_ref}: {references}")
    if named:
        standing_first = min(named, key=lambda one: text(one, "status") == CANCELLED)
        return client.detail(text(standing_first, "reference"))
    unnamed = [one for one in listed if not text(one, "clientReference")]
    candidates = [one for one in unnamed if text(one, "reference") not in request.others]
    return the_one(client, client_ref, request, [one for one in candidates if is_alike(one, request)])


def the_one(
    client: HotelbedsClient, client_ref: str, request: OrderRequest, candidates: list[Booking]
) -> Booking | None:
    """The list may not repeat our reference. The detail may; and it has the rate keys, which are ours alone."""
    possible, ours = [], set(rate_keys_of(request.offer))
    for candidate in candidates:
        booking = client.detail(text(candidate, "reference"))
        if is_named(booking, client_ref) or ours <= set(_rate_keys(booking)):
            return booking
        if not text(booking, "clientReference") and not _rate_keys(booking):
            possible.append(booking)
    if len(possible) > 1:
        raise Unavailable("Hotelbeds: several orders are alike")
    return possible[0] if possible else None


def lists_around(client: HotelbedsClient, request: OrderRequest) -> Iterator[list[Booking]]:
    """By the day of creation, from the day before the call to the day after; then by the day of the ride.

    What they call the first is not documented: it may be refused, or, taken for the second, find nothing that is there.
    """
    sent = (request.sent_at or clock.now()).astimezone(UTC).date()
    try:
        created = all_pages(client, CREATED, sent)
    except (Rejected, Missing):
        created = []
    yield created
    yield all_pages(client, SERVICE, request.search.outbound.date())


def all_pages(client: HotelbedsClient, date_type: str, day: date) -> list[Booking]:
    """Each booking once: where counting begins with 1, the next page repeats the last one of this."""
    found: dict[str, Booking] = {}
    for number in range(MOST_PAGES):
        page = client.page(
            date_type=date_type,
            first=day - DAY,
            last=day + DAY,
            offset=len(found) if number else None,
            limit=PAGE,
        )
        fresh = {text(one, "reference"): one for one in page if text(one, "reference") not in found}
        if not fresh:
            return list(found.values())
        found.update(fresh)
    raise Unavailable("Hotelbeds: more orders than can be gone through")


def is_named(booking: Mapping[str, Any], client_ref: str) -> bool:
    """Lists write references in capitals, whatever was sent."""
    return text(booking, "clientReference").upper() == client_ref.upper()


def is_alike(booking: Booking, request: OrderRequest) -> bool:
    """The same holder, and for each leg, and nothing else, a ride of the same day between the same two ends."""
    lead, holder = request.lead_passenger, part(booking, "holder")
    told_names = [text(holder, name).strip().casefold() for name in ("name", "surname")]
    if told_names != [lead.first_name.casefold(), lead.last_name.casefold()]:
        return False
    if text(holder, "email") and text(holder, "email").casefold() != lead.email.casefold():
        return False
    rides = [part(transfer, "pickupInformation") for transfer in items(booking, "transfers")]
    legs = request.search.legs
    return len(rides) == len(legs) and all(any(_is_ride(ride, leg) for ride in rides) for leg in legs)


def _is_ride(ride: Mapping[str, Any], leg: TransferSearch) -> bool:
    start, end = ends_of(leg)
    ends_are_same = is_point(ride.get("from"), start) and is_point(ride.get("to"), end)
    return ends_are_same and _on_the_day(ride, leg.outbound)


def _on_the_day(ride: Any, outbound: datetime) -> bool:
    """Towards an airport one may be picked up on the day before the flight."""
    try:
        day = date.fromisoformat(text(ride, "date"))
    except ValueError:
        return False
    return outbound.date() - DAY <= day <= outbound.date()


def _rate_keys(booking: Booking) -> list[str]:
    return [key for transfer in items(booking, "transfers") if (key := text(transfer, "rateKey"))]
