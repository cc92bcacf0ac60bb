"""The transfer simulator: deterministic in what it offers, and it remembers what was booked."""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from apps.suppliers.errors import Expired, NotPossible, PriceChanged
from apps.suppliers.results import Found
from apps.suppliers.simulation import BOOK, CANCEL, CHANGE, Simulator
from apps.transfers.suppliers.base import (
    Cancellation,
    OrderRequest,
    TransferOffer,
    TransferOrder,
    TransferSearch,
    price_of_extras,
)
from apps.transfers.suppliers.simulator import catalogue

LATER = timedelta(minutes=20)
OTHER_DOOR = "The driver waits at the other door."


class TransferSimulator(Simulator[TransferOrder]):
    """Fulfils TransferSupplier out of itself."""

    record_type = TransferOrder

    def search(self, request: TransferSearch) -> Found[TransferOffer]:
        if self.market.sold_out:
            return Found()
        found = catalogue.search(request, self.market.percent)
        return Found([offer for offer in found if catalogue.is_ahead(request, offer, self.now())])

    def reprice(self, request: TransferSearch, offer: TransferOffer) -> TransferOffer:
        if self.market.sold_out:
            raise Expired("the offer is sold out")
        current = catalogue.reprice(request, offer, self.market.percent)
        if not catalogue.is_ahead(request, current, self.now()):
            raise Expired("the pick-up has passed")
        return current

    def refuse_lacking(self, request: OrderRequest) -> None:
        """It takes every order that the API takes."""

    def book(self, request: OrderRequest) -> TransferOrder:
        """Books at the price now; raises PriceChanged when that is above the offer's."""
        current = self.reprice(request.search, request.offer)
        total, quoted = (with_extras(offer, request) for offer in (current, request.offer))
        if total > quoted:
            raise PriceChanged(total)
        there, *back = request.search.legs
        minutes = (current.duration_minutes, current.back.duration_minutes if current.back else None)
        order = TransferOrder(
            supplier_reference=f"simt_{secrets.token_hex(8)}",
            total_cents=total,
            currency=current.currency,
            pickup=catalogue.pickup_of(there, minutes[0] or 0),
            cancellation_policy=tuple(
                replace(step, amount_cents=step.amount_cents * total // current.total_cents)
                for step in current.cancellation_policy
            ),
            policy_is_certain=True,
            back_pickup=catalogue.pickup_of(back[0], minutes[1] or 0) if back else None,
        )
        self.write_first(request.client_ref, order.supplier_reference, order)
        return order

    def find_order(self, client_ref: str, request: OrderRequest) -> TransferOrder | None:
        write = self.store.find(BOOK, client_ref)
        return self.read_order(write.reference) if write else None

    def read_order(self, supplier_reference: str) -> TransferOrder:
        order, _ = self.latest(supplier_reference)
        return order

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        order, _ = self._standing(supplier_reference)
        return cancellation_of(order, self.now())

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        order, sequence = self._standing(supplier_reference)
        cancellation = cancellation_of(order, self.now())
        if cancellation.penalty_cents > quote.penalty_cents:
            raise NotPossible("cancelling costs more by now")
        cancelled = replace(order, cancellation=cancellation)
        self.write_next(CANCEL, client_ref, supplier_reference, sequence + 1, cancelled)
        return cancellation

    def find_cancellation(self, client_ref: str, supplier_reference: str) -> Cancellation | None:
        order = self.written(CANCEL, client_ref)
        return order.cancellation if order else None

    def call_off(self, supplier_reference: str) -> Cancellation:
        """The company itself cancels, for free, which `read_order` shows."""
        order, sequence = self._standing(supplier_reference)
        cancellation = Cancellation(0, order.total_cents, order.currency)
        cancelled = replace(order, cancellation=cancellation)
        client_ref = f"{supplier_reference}-called-off"
        self.write_next(CANCEL, client_ref, supplier_reference, sequence + 1, cancelled)
        return cancellation

    def alter(self, supplier_reference: str) -> TransferOrder:
        """The driver comes twenty minutes later, to the other door, which `read_order` shows. The way back stays as it is."""
        order, sequence = self._standing(supplier_reference)
        pickup = order.pickup
        at = pickup.at + LATER if pickup.at is not None else None
        instructions = f"{OTHER_DOOR} {pickup.instructions}"
        altered = replace(order, pickup=replace(pickup, at=at, instructions=instructions))
        client_ref = f"{supplier_reference}-altered-{sequence + 1}"
        self.write_next(CHANGE, client_ref, supplier_reference, sequence + 1, altered)
        return altered

    def _standing(self, reference: str) -> tuple[TransferOrder, int]:
        """The order and the number of its latest write. Raises Missing; NotPossible when the order is cancelled."""
        order, sequence = self.latest(reference)
        if order.cancellation is not None:
            raise NotPossible("the order is cancelled")
        return order, sequence


def with_extras(offer: TransferOffer, request: OrderRequest) -> int:
    """What ride and extras cost together. Raises Expired where an extra is gone."""
    extras = price_of_extras(offer.extras, request.extras)
    if extras is None:
        raise Expired("an extra is no longer sold")
    return offer.total_cents + extras


def cancellation_of(order: TransferOrder, now: datetime) -> Cancellation:
    """What cancelling costs at `now`: the latest step of the policy that has begun, nothing before the first."""
    begun = [step for step in order.cancellation_policy if step.starts_at is None or step.starts_at <= now]
    penalty = begun[-1].amount_cents if begun else 0
    return Cancellation(penalty, order.total_cents - penalty, order.currency)
