"""Changes by the partner and by the airline, and cancellations: what to ask, what of the answer can be sold, what reaches us."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Any

from apps.flights.suppliers.base import AirlineChange, Cancellation, ChangeOption, ChangeSearch, Slice
from apps.flights.suppliers.duffel.client import NAME
from apps.flights.suppliers.duffel.mapping import (
    UNREADABLE,
    Data,
    cents,
    instant,
    leg,
    places_of,
    sold,
    text,
    word,
)
from apps.suppliers.alerts import alert
from apps.suppliers.errors import Expired, Missing, NotPossible, Rejected
from apps.suppliers.models import AlertKind
from apps.suppliers.results import NONE_WITHHELD, AirlineCredit, Found, Withheld

logger = logging.getLogger(__name__)

# We pay from our balance, so that is what the original form of payment is.
REACHES_US = frozenset({"balance", "original_form_of_payment"})
AWAITING_PAYMENT = "awaiting_payment"
# What airlines keep for the travellers. Only of `airline_credits` a list is documented.
INTO_CREDIT = frozenset({"airline_credits", "voucher"})
PASSENGERS = "passengers"
"""The entry of a quote's `supplier_data` with their ids of the passengers, in our order."""
ACCEPTED = "accepted"
DONE = {"change": "changed", "cancel": "cancelled"}


def reaches_us(data: Data) -> bool:
    return data.get("refund_to") in REACHES_US


def quoted(data: Data, order: Data, *, vouchers_taken: bool) -> Cancellation:
    """What cancelling costs. Raises NotPossible for a refund that is not known, and for one in a form that is not."""
    currency = order["total_currency"]
    form = data.get("refund_to")
    # Of an order on hold nothing was paid that could return.
    refund = 0 if form == AWAITING_PAYMENT else refund_of(data, currency)
    if refund and form not in (*REACHES_US, *INTO_CREDIT, AWAITING_PAYMENT):
        alert(NAME, AlertKind.UNKNOWN_ANSWER, f"a refund to {str(form)[:40]!r}")
        raise NotPossible(
            "The airline would refund this order in a form that we do not know; nothing was cancelled."
        )
    places = places_of(order)
    kept = credits_of(data, places)
    if refund and form in INTO_CREDIT and not kept:
        # A list of vouchers is not documented. Whose it is, is clear where there is one passenger.
        kept = (
            AirlineCredit(next(iter(places.values()), None) if len(places) == 1 else None, refund, currency),
        )
    quote = _cancellation(money_of(data, currency, kept), word(data["id"]), order["total_amount"], currency)
    if kept:
        ids = " ".join(sorted(places, key=places.__getitem__))
        quote = replace(quote, supplier_data={**quote.supplier_data, PASSENGERS: ids})
    return replace(
        quote,
        airline_credits=tuple(replace(credit, code=None) for credit in kept),
        credit_taken=vouchers_taken,
        expires_at=instant(data.get("expires_at")),
    )


def confirmed(data: Data | None, quote: Cancellation) -> Cancellation:
    """What it cost in the end: never more than was quoted, and less if the airline only now reports a greater refund."""
    kept = quote.supplier_data
    refund = max(promised(quote), returned(data, quote))
    done = _cancellation(refund, kept["cancellation_id"], kept["amount"], kept["currency"])
    return replace(
        quote,
        penalty_cents=done.penalty_cents,
        refund_cents=done.refund_cents,
        supplier_data={**kept, **done.supplier_data},
        airline_credits=_issued(data, quote),
    )


def _issued(data: Data | None, quote: Cancellation) -> tuple[AirlineCredit, ...]:
    """The credits that were quoted, as Duffel lists them now. It is cancelled: nothing here may raise a refusal."""
    if not quote.airline_credits:
        return ()
    ids = quote.supplier_data.get(PASSENGERS, "").split()
    try:
        told = credits_of(data or {}, {own_id: place for place, own_id in enumerate(ids)})
    except UNREADABLE as error:
        logger.error("airline credits of duffel could not be read: %s", type(error).__name__)
        told = ()
    return told or quote.airline_credits


def credits_of(data: Data, places: Mapping[str, int]) -> tuple[AirlineCredit, ...]:
    """The airline credits of a cancellation. A refund of money has no list of them."""
    return tuple(credit_of(one, places) for one in data.get("airline_credits") or ())


def credit_of(data: Data, places: Mapping[str, int] = MappingProxyType({})) -> AirlineCredit:
    """As a cancellation lists it, and as it is read by itself: there some fields have another name."""
    amount, currency = data.get("credit_amount", data.get("amount")), data.get("credit_currency")
    currency = word(currency or data.get("amount_currency"))
    expiry = text(data.get("expires_at"))
    return AirlineCredit(
        passenger=places.get(str(data.get("passenger_id"))),
        amount_cents=cents(amount, currency),
        currency=currency,
        supplier_id=text(data.get("id")) or "",
        code=text(data.get("credit_code") or data.get("code")),
        expires_on=date.fromisoformat(expiry[:10]) if expiry else None,
    )


def money_of(data: Data, currency: str, credited: Iterable[AirlineCredit]) -> int:
    """What of a known refund reaches us. Where airlines refund both ways, `refund_amount` is taken for the sum of money and
    credits, as it is for credits alone: how they report a mixture is not documented.
    """
    if data.get("refund_to") not in (*REACHES_US, *INTO_CREDIT):
        return 0
    refund = cents(data["refund_amount"], currency)
    kept = [credit.amount_cents for credit in credited if credit.currency == currency]
    if kept and sum(kept) <= refund:
        return refund - sum(kept)
    return refund if reaches_us(data) else 0


def cancellation_of(order: Data) -> Cancellation | None:
    """What cancelling a cancelled order cost; None where that is not known: it has no confirmed cancellation, because its airline
    cancelled it, or one without an amount.
    """
    told = order.get("cancellation")
    if told is None or told.get("confirmed_at", told) is None or told.get("refund_amount") is None:
        return None
    refund = reaching(told, order["total_currency"])
    kept_id = told["id"] if isinstance(told.get("id"), str) else ""  # it is over: nothing is looked up by it
    done = _cancellation(refund, kept_id, order["total_amount"], order["total_currency"])
    return replace(done, airline_credits=known_credits(order))


def known_credits(order: Data) -> tuple[AirlineCredit, ...]:
    """What a cancelled order says of credits; nothing where that cannot be read."""
    try:
        return credits_of(order.get("cancellation") or {}, places_of(order))
    except UNREADABLE as error:
        logger.error("airline credits of duffel could not be read: %s", type(error).__name__)
        return ()


def promised(quote: Cancellation) -> int:
    """The refund that was quoted, in their currency."""
    return int(quote.supplier_data["refund_cents"])


def returned(data: Data | None, quote: Cancellation) -> int:
    """The refund that reaches us; as promised, where they do not say. It is cancelled: nothing here may raise a refusal."""
    currency = quote.supplier_data["currency"]
    if data is None or data.get("refund_amount") is None:
        return promised(quote)
    return reaching(data, currency)


def reaching(data: Data, currency: str) -> int:
    """What of the refund reaches us; nothing of one without an amount or in another currency. Raises no refusal."""
    if data.get("refund_amount") is None or data.get("refund_currency") != currency:
        return 0
    try:
        kept = credits_of(data, {})
    except UNREADABLE:
        return 0 if data.get("refund_to") in INTO_CREDIT else cents(data["refund_amount"], currency)
    return money_of(data, currency, kept)


def costs_no_more(quote: Cancellation, before: Cancellation) -> bool:
    """Whether a new quote of the same order gives back at least what the one before did, in money and in credit."""
    if any(quote.supplier_data[name] != before.supplier_data[name] for name in ("amount", "currency")):
        return False
    return promised(quote) >= promised(before) and all(
        _credit_in(quote, currency) >= _credit_in(before, currency)
        for currency in {credit.currency for credit in before.airline_credits}
    )


def _credit_in(quote: Cancellation, currency: str) -> int:
    return sum(credit.amount_cents for credit in quote.airline_credits if credit.currency == currency)


def refund_of(data: Data, currency: str) -> int:
    """What returns. Raises NotPossible where the airline names no amount, which is not zero; Rejected for another currency's."""
    if data["refund_amount"] is None:
        raise NotPossible("The airline does not state what it would refund; nothing was cancelled.")
    if data.get("refund_currency") != currency:
        raise Rejected("the refund is in another currency than the price")
    return cents(data["refund_amount"], currency)


def _cancellation(refund: int, cancellation_id: str, amount: str, currency: str) -> Cancellation:
    """With what was paid, in their own words: what it is confirmed, looked up and compared by."""
    total = cents(amount, currency)
    refund = min(refund, total)
    kept = {
        "cancellation_id": cancellation_id,
        "amount": word(amount),
        "currency": word(currency),
        "refund_cents": str(refund),
    }
    return Cancellation(total - refund, refund, currency, kept)


def require(action: str, order: Data) -> None:
    """Raises NotPossible for what the order does not allow: no need to ask."""
    if order.get("cancelled_at") is not None:
        raise NotPossible("The order is cancelled.")
    if action not in (order.get("available_actions") or ()):
        raise NotPossible(f"The airline does not let this order be {DONE[action]}.")


def request_body(request: ChangeSearch, order: Data) -> Data:
    """Raises Missing when the order has no such slice."""
    removed = next((part for part in order["slices"] if part["id"] == request.remove_slice), None)
    if removed is None:
        raise Missing("the order has no such slice")
    added = {
        "origin": request.origin,
        "destination": request.destination,
        "departure_date": request.departure_date.isoformat(),
        "cabin_class": _cabin(removed),
    }
    return {
        "order_id": order["id"],
        "slices": {"remove": [{"slice_id": request.remove_slice}], "add": [added]},
    }


def _cabin(removed: Data) -> str:
    """The cabin flown so far; economy where the order does not say."""
    seats = [seat for part in removed.get("segments") or () for seat in part.get("passengers") or ()]
    return next((seat["cabin_class"] for seat in seats if seat.get("cabin_class")), "economy")


def options(offers: list[Data], *, currency: str) -> Found[ChangeOption]:
    """The cheapest first; what cannot be sold or read is counted. `currency`: the order's."""
    found, withheld = [], NONE_WITHHELD
    for data in offers:
        try:
            if _sellable(data, currency):
                found.append(_option(data))
            else:
                withheld += Withheld(unsupported=1)
        except UNREADABLE as error:
            logger.error("a change option of duffel could not be read: %s", type(error).__name__)
            withheld += Withheld(unreadable=1)
    return Found(sorted(found, key=lambda option: option.difference_cents), withheld)


def _sellable(data: Data, currency: str) -> bool:
    """Priced in the order's currency, its penalty included, with flights to show, and with nothing to return that would not reach
    us.
    """
    if data.get("change_total_amount") is None or data.get("new_total_amount") is None:
        return False
    if currencies(data) != {currency} or not returns_to_us(data):
        return False
    added = data["slices"]["add"]
    return len(added) == 1 and bool(added[0].get("segments"))


def returns_to_us(data: Data) -> bool:
    """False for a saving that the airline would keep as a voucher."""
    return cents(data["change_total_amount"], data["change_total_currency"]) >= 0 or reaches_us(data)


def _option(data: Data) -> ChangeOption:
    return ChangeOption(
        **_amounts(data),
        currency=data["change_total_currency"],
        slice=sold(leg(data["slices"]["add"][0], "")),
        expires_at=instant(data.get("expires_at")),
        supplier_data={"change_offer_id": word(data["id"])},
    )


def taken_up(option: ChangeOption, change: Data) -> ChangeOption:
    """The option as the pending change has it, with the id under which it is confirmed and looked up. Raises NotPossible for one
    without a price: null is not zero.
    """
    if change.get("change_total_amount") is None or change.get("new_total_amount") is None:
        raise NotPossible("The airline does not state what this change costs; nothing was changed.")
    if not returns_to_us(change):
        raise NotPossible("The airline would keep what this change saves as a voucher.")
    if currencies(change) != {option.currency}:
        raise Expired("the currency is not the one that was quoted")
    kept = {
        "change_id": word(change["id"]),
        "amount": word(change["change_total_amount"]),
        "currency": word(change["change_total_currency"]),
    }
    return replace(
        option,
        **_amounts(change),
        currency=change["change_total_currency"],
        supplier_data={**option.supplier_data, **kept},
    )


def payment_of(option: ChangeOption) -> Data | None:
    """What confirming it takes from our balance; None where it costs nothing."""
    amount, currency = option.supplier_data["amount"], option.supplier_data["currency"]
    if cents(amount, currency) <= 0:
        return None
    return {"type": "balance", "amount": amount, "currency": currency}


def dearer_by(pending: Data, option: ChangeOption) -> int:
    """How much more the pending change costs now than when it was taken up."""
    then, currency = option.supplier_data["amount"], option.supplier_data["currency"]
    return cents(pending["change_total_amount"], currency) - cents(then, currency)


def currencies(data: Data) -> set[str]:
    """Of all its amounts."""
    named = {data["change_total_currency"], data["new_total_currency"]}
    penalty, penalty_currency = penalty_of(data)
    return {*named, penalty_currency} if penalty and penalty_currency else named


def penalty_of(data: Data) -> tuple[Any, Any]:
    """Amount and currency. They go by two names: recorded answers have the long one."""
    for name in ("penalty_total", "penalty"):
        if data.get(f"{name}_amount") is not None:
            return data[f"{name}_amount"], data.get(f"{name}_currency")
    return None, None


def _amounts(data: Data) -> Data:
    """An airline that takes no penalty names none."""
    currency = data["change_total_currency"]
    penalty, _ = penalty_of(data)
    return {
        "difference_cents": cents(data["change_total_amount"], currency),
        "new_total_cents": cents(data["new_total_amount"], currency),
        "penalty_cents": cents(penalty, currency) if penalty else 0,
    }


def airline_changes_of(order: Data) -> tuple[AirlineChange, ...]:
    """The changes of an order, oldest first. One that cannot be read is left out: its slices show the difference all the same."""
    try:
        listed = sorted(
            order.get("airline_initiated_changes") or [], key=lambda one: str(one.get("created_at") or "")
        )
    except UNREADABLE:
        return ()
    return tuple(_readable(listed))


def _readable(listed: list[Data]) -> Iterator[AirlineChange]:
    for data in listed:
        try:
            yield change_of(data)
        except UNREADABLE as error:
            logger.error("an airline's change at duffel could not be read: %s", type(error).__name__)


def change_of(data: Data) -> AirlineChange:
    return AirlineChange(
        supplier_id=word(data["id"]),
        removed=_legs(data.get("removed") or []),
        added=_legs(data.get("added") or []),
        actions=tuple(str(action) for action in data.get("available_actions") or []),
        taken=word(data["action_taken"]) if data.get("action_taken") else None,
        taken_at=instant(data.get("action_taken_at")),
    )


def is_accepted(listed: list[Data], change_id: str) -> bool:
    return any(one.get("id") == change_id and one.get("action_taken") == ACCEPTED for one in listed)


def _legs(slices: list[Data]) -> tuple[Slice, ...]:
    return tuple(leg(one, str(one.get("id") or "")) for one in slices)
