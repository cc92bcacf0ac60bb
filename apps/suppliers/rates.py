"""Today's exchange rates, cached for a minute by each process; offers of a search converted at them."""

import logging
import time
from datetime import date
from typing import Protocol, TypeVar

from django.conf import settings

from apps.common import clock
from apps.suppliers.alerts import alert
from apps.suppliers.currency import Exchange, converted
from apps.suppliers.models import AlertKind, ExchangeRate
from apps.suppliers.results import Found, Withheld

logger = logging.getLogger(__name__)

REMEMBERED_SECONDS = 60.0
RATES = "exchange rates"  # the name in the alerts about rates, which staff store and no supplier

_cached: dict[str, tuple[float, date, dict[str, Exchange]]] = {}
_reported: set[tuple[str, str, date | None]] = set()
"""Pairs without a rate, and pairs whose rate was too old on a day. Each process alerts once for each."""


def rate(base: str, quote: str) -> Exchange | None:
    """The rate of the newest day up to today. None where staff stored none, or none recent enough: then they are alerted.

    Only the pair itself counts, never its opposite: buying and selling have two prices.
    """
    found = _known_to(quote).get(base)
    if found is None:
        _report_missing(base, quote)
        return None
    if _age(found) >= settings.EXCHANGE_RATE_MAX_AGE_DAYS:  # its last day too: time to load another
        _report_age(found)
    return found if _counts(found) else None


def rates_to(quote: str) -> dict[str, Exchange]:
    """Today's rates into a currency, by the currency they convert from, without those that are too old."""
    return {base: found for base, found in _known_to(quote).items() if _counts(found)}


def _counts(found: Exchange) -> bool:
    oldest: int = settings.EXCHANGE_RATE_MAX_AGE_DAYS
    return _age(found) <= oldest


def _age(found: Exchange) -> int:
    return (clock.today() - found.as_of).days


def _report_missing(base: str, quote: str) -> None:
    if (base, quote, None) not in _reported:
        _reported.add((base, quote, None))
        logger.warning("no rate from %s to %s: what is sold in %s is left out", base, quote, base)


def _report_age(found: Exchange) -> None:
    problem = (found.base, found.quote, clock.today())
    if problem not in _reported:
        _reported.add(problem)
        days = settings.EXCHANGE_RATE_MAX_AGE_DAYS
        detail = f"{found.base} to {found.quote} is as of {found.as_of}, and nothing is sold at it after {days} days"
        alert(RATES, AlertKind.EXCHANGE_RATE_OLD, detail)


def _known_to(quote: str) -> dict[str, Exchange]:
    """The newest rate of every pair into a currency, however old."""
    now, today = time.monotonic(), clock.today()
    kept = _cached.get(quote)
    if kept is not None and now - kept[0] < REMEMBERED_SECONDS and kept[1] == today:
        return kept[2]
    rates = stored_rates_to(quote, today)
    _cached[quote] = (now, today, rates)
    return rates


def stored_rates_to(quote: str, today: date) -> dict[str, Exchange]:
    rows = (
        ExchangeRate.objects.filter(quote=quote, as_of__lte=today)
        .order_by("base", "-as_of", "-created_at", "-id")
        .distinct("base")
    )
    return {row.base: Exchange(row.base, row.quote, row.rate.normalize(), row.as_of) for row in rows}


def forget_rates() -> None:
    """Forget the cached rates; called after rates were stored, so that this process uses them at once."""
    _cached.clear()
    _reported.clear()


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
