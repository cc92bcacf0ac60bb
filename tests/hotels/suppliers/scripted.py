"""The simulator with hands on its answers: for what a real supplier does and a simulator would not."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from apps.hotels.suppliers.base import (
    Cancellation,
    ChangeSearch,
    HotelOffer,
    MovedStay,
    NameCorrection,
    Rate,
    Stay,
    StayRequest,
    StaySearch,
)
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.suppliers.errors import OutcomeUnknown, SupplierError
from apps.suppliers.results import Found
from apps.suppliers.simulation import DatabaseStore
from apps.suppliers.values import replaced


class ScriptedHotels(HotelSimulator):
    """`policy`: what every rate says of cancelling. `raises`: what a method ends in. `loses`: whose answer gets lost.
    `is_idle`: it corrects no name.
    """

    def __init__(self) -> None:
        super().__init__(DatabaseStore("hotels"))
        self.policy: str | None = None
        self.expires_at: datetime | None = None
        self.rates_of_a_hotel = 3
        self.raises: dict[str, Callable[[], SupplierError]] = {}
        self.loses: set[str] = set()
        self.is_idle = False
        self.asked: Counter[str] = Counter()

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        self._refuse("search")
        offers = super().search(request)
        return Found(replaced(offer, rates=tuple(map(self._written, self._many(offer)))) for offer in offers)

    def check_rate(self, rate: Rate) -> Rate:
        self._refuse("check_rate")
        return self._written(super().check_rate(rate))

    def book(self, request: StayRequest) -> Stay:
        self._refuse("book")
        stay = super().book(request)
        if "book" in self.loses:
            raise OutcomeUnknown("the answer was lost")
        return replaced(stay, cancellation_policy=self.policy or stay.cancellation_policy)

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        self._refuse("read_booking")
        return super().read_booking(supplier_reference, policy)

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        self._refuse("cancel")
        cancellation = super().cancel(client_ref, supplier_reference, quote)
        if "cancel" in self.loses:
            raise OutcomeUnknown("the answer was lost")
        return cancellation

    def ask_correction(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> None:
        self._refuse("ask_correction")
        super().ask_correction(client_ref, supplier_reference, correction)
        if "ask_correction" in self.loses:
            raise OutcomeUnknown("the answer was lost")

    def is_corrected(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> bool:
        self._refuse("is_corrected")
        return not self.is_idle and super().is_corrected(client_ref, supplier_reference, correction)

    def check_change(self, request: ChangeSearch, rate: Rate) -> Rate:
        self._refuse("check_change")
        return super().check_change(request, rate)

    def change(
        self, supplier_reference: str, request: StayRequest, quote: Cancellation, policy: str = ""
    ) -> MovedStay:
        self._refuse("change")
        self.asked["change"] += 1
        moved = super().change(supplier_reference, request, quote, policy)
        if "change" in self.loses:
            raise OutcomeUnknown("the answer was lost")
        return moved

    def _refuse(self, method: str) -> None:
        if method in self.raises:
            raise self.raises[method]()

    def _many(self, offer: HotelOffer) -> list[Rate]:
        return [offer.rates[n % len(offer.rates)] for n in range(self.rates_of_a_hotel)]

    def _written(self, rate: Rate) -> Rate:
        policy = self.policy or rate.cancellation_policy
        return replaced(rate, cancellation_policy=policy, expires_at=self.expires_at)
