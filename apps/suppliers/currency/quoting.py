"""Offers of a search in the account's currency: converted at today's rate, or left out."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from apps.suppliers.currency.amounts import converted
from apps.suppliers.currency.rates import rate


class Priced(Protocol):
    @property
    def currency(self) -> str: ...


Offer = TypeVar("Offer", bound=Priced)


def quoted_in(currency: str, offers: Iterable[Offer]) -> list[Offer]:
    """The offers, each in `currency`. Offers without a stored rate are left out."""
    priced = [offer if offer.currency == currency else _in(currency, offer) for offer in offers]
    return [offer for offer in priced if offer is not None]


def _in(currency: str, offer: Offer) -> Offer | None:
    exchange = rate(offer.currency, currency)
    return None if exchange is None else converted(offer, exchange)
