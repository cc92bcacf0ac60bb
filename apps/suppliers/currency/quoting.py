"""Offers of a search in the account's currency: converted at today's rate, or withheld."""

from typing import Protocol, TypeVar

from apps.suppliers.currency.amounts import converted
from apps.suppliers.currency.rates import rate
from apps.suppliers.withheld import Found, Withheld


class Priced(Protocol):
    @property
    def currency(self) -> str: ...


Offer = TypeVar("Offer", bound=Priced)


def quoted_in(currency: str, offers: Found[Offer]) -> Found[Offer]:
    """The offers, each in `currency`. Those without a stored rate are counted as unsupported."""
    priced = [offer if offer.currency == currency else _in(currency, offer) for offer in offers]
    found = [offer for offer in priced if offer is not None]
    return Found(found, offers.withheld + Withheld(unsupported=len(priced) - len(found)))


def _in(currency: str, offer: Offer) -> Offer | None:
    exchange = rate(offer.currency, currency)
    return None if exchange is None else converted(offer, exchange)
