"""Priced alternatives to a slice: what to ask, what of the answer can be sold, and what confirming takes."""

import logging
from dataclasses import replace
from typing import Any

from apps.flights.suppliers.base import ChangeOption, ChangeSearch
from apps.flights.suppliers.duffel.mapping import UNREADABLE, cents, leg, sold, word
from apps.flights.suppliers.duffel.refunds import reaches_us
from apps.flights.suppliers.duffel.times import instant
from apps.suppliers.errors import Expired, Missing, NotPossible
from apps.suppliers.results import NONE_WITHHELD, Found, Withheld

logger = logging.getLogger(__name__)

Data = dict[str, Any]
DONE = {"change": "changed", "cancel": "cancelled"}


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


def options(answer: Data, *, currency: str) -> Found[ChangeOption]:
    """The cheapest first; what cannot be sold or read is counted. `currency`: the order's."""
    found, withheld = [], NONE_WITHHELD
    for data in answer.get("order_change_offers") or ():
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
    """The option as the pending change has it, with the id under which it is confirmed and looked up."""
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


def _amounts(data: Data) -> dict[str, Any]:
    """An airline that takes no penalty names none."""
    currency = data["change_total_currency"]
    penalty, _ = penalty_of(data)
    return {
        "difference_cents": cents(data["change_total_amount"], currency),
        "new_total_cents": cents(data["new_total_amount"], currency),
        "penalty_cents": cents(penalty, currency) if penalty else 0,
    }
