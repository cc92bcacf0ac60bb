"""The hotel simulator: deterministic in what it offers, and it remembers what was booked."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from itertools import islice

from apps.accounts import clocks
from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import Cancellation, HotelOffer, Rate, Stay, StayRequest, StaySearch
from apps.hotels.suppliers.simulator import properties, rates, stays
from apps.hotels.suppliers.simulator.stays import StayRecord
from apps.suppliers.errors import Expired, Missing, NotPossible, PriceChanged, Rejected
from apps.suppliers.results import Found
from apps.suppliers.simulation import BOOK, CANCEL, CHANGE, AlreadyWrittenError, Market, Store, Write
from apps.suppliers.values import from_json, replaced, to_json

MOST_HOTELS = 100


class HotelSimulator:
    """Fulfils HotelSupplier out of itself.

    It is not idempotent: whether a reference can be used twice is its store's rule.
    """

    name = "simulator"

    def __init__(
        self, store: Store, *, market: Market | None = None, now: Callable[[], datetime] = clocks.now_here
    ) -> None:
        self.store = store
        self.market = market or Market()
        self.now = now

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        """Hotels in the order of `properties`, each with its rates. Its prices need no time to settle: it makes them itself."""
        if self.market.sold_out:
            return Found()
        return Found(islice(self._offers(request), min(request.limit, MOST_HOTELS)))

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
        record = stays.confirm(request, rates.quote_of(request.rate), current.total_cents)
        try:
            self._write(BOOK, request.client_ref, 0, record)
        except AlreadyWrittenError as error:
            raise Rejected("duplicate reference") from error
        return record.stay

    def find_booking(self, client_ref: str, rate: Rate) -> Stay | None:
        write = self.store.find(BOOK, client_ref)
        return self.read_booking(write.reference) if write else None

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        record, _ = self._latest(supplier_reference)
        return record.stay

    def quote_cancellation(self, supplier_reference: str, policy: str = "") -> Cancellation:
        record, _ = self._latest(supplier_reference)
        return stays.cancellation_of(record, self.now())

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        record, sequence = self._latest(supplier_reference)
        cancellation = stays.cancellation_of(record, self.now())
        if cancellation.penalty_cents > quote.penalty_cents:
            raise NotPossible("cancelling costs more by now; nothing was cancelled")
        self._end(client_ref, record, sequence, cancellation)
        return cancellation

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation | None = None
    ) -> Cancellation | None:
        write = self.store.find(CANCEL, client_ref)
        return from_json(StayRecord, write.record).cancellation if write else None

    def standing(self, first: date, last: date) -> dict[str, str]:
        """Nothing: whether it keeps its promise of one booking for each reference is tested elsewhere."""
        return {}

    def learn(self) -> int:
        """Its searches tell all there is."""
        return 0

    def call_off(self, supplier_reference: str) -> Cancellation:
        """The hotel takes the booking back, at no cost: news that a poll of `read_booking` brings. No part of the promise."""
        record, sequence = self._latest(supplier_reference)
        stays.require_standing(record)
        stay = record.stay
        cancellation = Cancellation(0, stay.total_cents, stay.currency)
        self._end(f"by-hotel-{supplier_reference}", record, sequence, cancellation)
        return cancellation

    def alter(self, supplier_reference: str) -> Stay:
        """The hotel gives the booking another confirmation number: news that a poll of `read_booking` brings."""
        record, sequence = self._latest(supplier_reference)
        altered = stays.renumbered(record, sequence + 1)
        self._write_next(CHANGE, f"by-hotel-{supplier_reference}-{sequence + 1}", sequence + 1, altered)
        return altered.stay

    def _offers(self, request: StaySearch) -> Iterator[HotelOffer]:
        now = self.now()
        for hotel in properties.candidates(request):
            if now >= stayed(hotel, request.check_in, request.check_out).sold_until:
                continue
            found = rates.rates_of(hotel, request, self.market.percent)
            if found:
                yield HotelOffer(hotel, found)

    def _latest(self, reference: str) -> tuple[StayRecord, int]:
        """The booking as it stands and the number of its latest write. Raises Missing."""
        write = self.store.latest(reference)
        if write is None:
            raise Missing("the booking is unknown")
        return from_json(StayRecord, write.record), write.sequence

    def _end(self, client_ref: str, record: StayRecord, sequence: int, cancellation: Cancellation) -> None:
        self._write_next(CANCEL, client_ref, sequence + 1, stays.cancelled(record, cancellation))

    def _write_next(self, kind: str, client_ref: str, sequence: int, record: StayRecord) -> None:
        """A write to a standing booking; of two at once the slower finds the booking no longer what it was."""
        try:
            self._write(kind, client_ref, sequence, record)
        except AlreadyWrittenError as error:
            raise NotPossible("the booking was written to meanwhile") from error

    def _write(self, kind: str, client_ref: str, sequence: int, record: StayRecord) -> None:
        reference = record.stay.supplier_reference
        self.store.add(Write(kind, client_ref, reference, sequence, to_json(record)))
