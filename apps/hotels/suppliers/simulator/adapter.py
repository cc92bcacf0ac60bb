"""The hotel simulator: deterministic in what it offers, and it remembers what was booked."""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice

from apps.hotels import property_store
from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import (
    MOST_HOTELS,
    Cancellation,
    ChangeSearch,
    HotelOffer,
    LeastRate,
    MovedStay,
    NameCorrection,
    Rate,
    Stay,
    StayRequest,
    StaySearch,
)
from apps.hotels.suppliers.properties import Described, ListPage
from apps.hotels.suppliers.simulator import catalogue, orders, properties, rates
from apps.hotels.suppliers.simulator.texts import LANGUAGES
from apps.suppliers.errors import Expired, NotPossible, PriceChanged
from apps.suppliers.results import Found
from apps.suppliers.simulation import BOOK, CANCEL, CHANGE, CORRECT, REPLACE, Simulator
from apps.suppliers.values import replaced


class HotelSimulator(Simulator[Stay]):
    """Fulfils HotelSupplier out of itself. What it stores of a booking is the Stay."""

    record_type = Stay
    languages: tuple[str, ...] = LANGUAGES
    keeps_old_stays = False
    """Whether the old stay stands on after a change, as where a supplier fails to cancel it."""

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        """Hotels in the order of `properties`, each with its rates. Its prices need no time to settle: it makes them itself."""
        if self.market.sold_out:
            return Found()
        return Found(islice(self._offers(request), min(request.most_hotels, MOST_HOTELS)))

    def least_rates(self, request: StaySearch, last: date) -> Found[LeastRate]:
        if self.market.sold_out:
            return Found()
        now, nights = self.now(), request.check_out - request.check_in
        found: Found[LeastRate] = Found()
        for check_in in request.check_ins(last):
            for hotel in catalogue.candidates(request):
                if now < stayed(hotel, check_in, check_in + nights).sold_until:
                    stay = replaced(request, check_in=check_in, check_out=check_in + nights)
                    least = rates.least_total(hotel, stay, self.market.percent)
                    found.append(LeastRate(check_in, hotel.hotel_id, least, request.currency))
        return found

    def check_rate(self, rate: Rate) -> Rate:
        if self.market.sold_out:
            raise Expired("the rate is sold out")
        quote = rates.quote_of(rate)
        if self.now() >= quote.service.sold_until:
            raise Expired("the check-in day is over")
        current = rates.rate_now(quote, self.market.percent)
        return rate if current == replaced(rate, expires_at=None) else current  # it has no expiry of its own

    def book(self, request: StayRequest) -> Stay:
        """Books at the price now; raises PriceChanged when that is above the rate's."""
        current = self.check_rate(request.rate)
        if current.total_cents > request.rate.total_cents:
            raise PriceChanged(current.total_cents)
        quote = rates.quote_of(request.rate)
        stay = orders.confirm(request, current, quote.rooms, quote.hotel.hotel_id)
        self.write_first(request.client_ref, stay.supplier_reference, stay)
        return stay

    def find_booking(self, client_ref: str, rate: Rate) -> Stay | None:
        write = self.store.find(BOOK, client_ref)
        return self.read_booking(write.reference) if write else None

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        stay, _ = self.latest(supplier_reference)
        return stay

    def quote_cancellation(self, supplier_reference: str, policy: str = "") -> Cancellation:
        stay, _ = self.latest(supplier_reference)
        return orders.cancellation_of(stay, self.now())

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        stay, sequence = self.latest(supplier_reference)
        cancellation = orders.cancellation_of(stay, self.now())
        if cancellation.penalty_cents > quote.penalty_cents:
            raise NotPossible("cancelling costs more by now; nothing was cancelled")
        self._end(client_ref, stay, sequence, cancellation)
        return cancellation

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation | None = None
    ) -> Cancellation | None:
        stay = self.written(CANCEL, client_ref)
        return orders.done_of(stay) if stay else None

    def ask_correction(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> None:
        """Keeps that it was asked, and no name: a simulated booking has no guests."""
        stay, sequence = self.latest(supplier_reference)
        orders.require_standing(stay)
        self.write_next(CORRECT, client_ref, supplier_reference, sequence + 1, stay)

    def is_corrected(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> bool:
        """As soon as it is read after it was asked."""
        return self.store.find(CORRECT, client_ref) is not None

    def change_options(self, request: ChangeSearch) -> Found[Rate]:
        stay, _ = self.latest(request.supplier_reference)
        orders.require_standing(stay)
        hotel = catalogue.find(request.hotel_id)
        if hotel is None or self.market.sold_out:
            return Found()
        if self.now() >= stayed(hotel, request.check_in, request.check_out).sold_until:
            return Found()
        search = StaySearch(request.check_in, request.check_out, request.currency, request.rooms)
        return Found(rates.rates_of(hotel, search, self.market.percent))

    def check_change(self, request: ChangeSearch, rate: Rate) -> Rate:
        return self.check_rate(rate)

    def change(
        self, supplier_reference: str, request: StayRequest, quote: Cancellation, policy: str = ""
    ) -> MovedStay:
        """Two writes: the new stay, then the end of the old one."""
        current = self.check_rate(request.rate)
        if current.total_cents > request.rate.total_cents:
            raise PriceChanged(current.total_cents)
        old, _ = self.latest(supplier_reference)
        orders.require_standing(old)
        wanted = rates.quote_of(request.rate)
        stay = orders.confirm(request, current, wanted.rooms, wanted.hotel.hotel_id)
        self.write_new(CHANGE, request.client_ref, stay.supplier_reference, stay)
        return MovedStay(stay, self._give_up(request.client_ref, supplier_reference, quote))

    def find_change(
        self, client_ref: str, supplier_reference: str, rate: Rate, quote: Cancellation, policy: str = ""
    ) -> MovedStay | None:
        """It carries on with a change that it had begun, as a supplier does whose caller went away."""
        write = self.store.find(CHANGE, client_ref)
        if write is None:
            return None
        stay, _ = self.latest(write.reference)
        return MovedStay(stay, self._give_up(client_ref, supplier_reference, quote))

    def standing(self, first: date, last: date) -> dict[str, str]:
        """Nothing: whether it keeps its promise of one booking for each reference is tested elsewhere."""
        return {}

    def parts(self) -> tuple[str, ...]:
        return ("all",)

    def properties(self, part: str, *, since: datetime | None, offset: int) -> ListPage:
        return properties.page_of(since, offset)

    def in_language(self, offers: list[HotelOffer], language: str) -> list[HotelOffer]:
        """But for the names of rooms."""
        return [
            HotelOffer(
                property_store.described_in(
                    offer.hotel, properties.describe(offer.hotel.hotel_id, language).details
                ),
                offer.rates,
            )
            for offer in offers
        ]

    def describe(self, hotel_id: str, language: str) -> Described:
        return properties.describe(hotel_id, language)

    def learn(self) -> int:
        return property_store.learn(self.name, self.describe)

    def call_off(self, supplier_reference: str) -> Cancellation:
        """The hotel takes the booking back, at no cost: a change that a poll of `read_booking` finds. No part of the promise."""
        stay, sequence = self.latest(supplier_reference)
        orders.require_standing(stay)
        cancellation = Cancellation(0, stay.total_cents, stay.currency)
        self._end(f"by-hotel-{supplier_reference}", stay, sequence, cancellation)
        return cancellation

    def alter(self, supplier_reference: str) -> Stay:
        """The hotel gives the booking another confirmation number: a change that a poll of `read_booking` finds."""
        stay, sequence = self.latest(supplier_reference)
        altered = orders.renumbered(stay, sequence + 1)
        client_ref = f"by-hotel-{supplier_reference}-{sequence + 1}"
        self.write_next(CHANGE, client_ref, supplier_reference, sequence + 1, altered)
        return altered

    def _offers(self, request: StaySearch) -> Iterator[HotelOffer]:
        now = self.now()
        for hotel in catalogue.candidates(request):
            if now >= stayed(hotel, request.check_in, request.check_out).sold_until:
                continue
            found = rates.rates_of(hotel, request, self.market.percent)
            if found:
                yield HotelOffer(hotel, found)

    def _give_up(self, client_ref: str, reference: str, quote: Cancellation) -> Cancellation | None:
        """What the end of the old stay costs. None where it stays: `keeps_old_stays`."""
        old, sequence = self.latest(reference)
        if old.cancelled:
            return orders.done_of(old)
        if self.keeps_old_stays:
            return None
        cost = orders.cancellation_of(old, self.now())
        cost = cost if cost.penalty_cents <= quote.penalty_cents else quote
        ended = orders.cancelled(old, cost)
        try:
            self.write_next(REPLACE, f"{client_ref}-old", reference, sequence + 1, ended)
        except NotPossible:  # written to meanwhile
            return orders.done_of(self.latest(reference)[0])
        return cost

    def _end(self, client_ref: str, stay: Stay, sequence: int, cancellation: Cancellation) -> None:
        ended = orders.cancelled(stay, cancellation)
        self.write_next(CANCEL, client_ref, stay.supplier_reference, sequence + 1, ended)
