"""Today's rates, remembered for a minute by each process."""

import logging
import time
from datetime import date

from apps.common import clock
from apps.suppliers.currency.exchange import Exchange
from apps.suppliers.currency.models import ExchangeRate

logger = logging.getLogger(__name__)

REMEMBERED_SECONDS = 60.0

_remembered: dict[str, tuple[float, date, dict[str, Exchange]]] = {}
_missed: set[tuple[str, str]] = set()


def rate(base: str, quote: str) -> Exchange | None:
    """The rate of the newest day up to today; None where staff stored none, which is logged once.

    Only the pair itself counts, never its opposite: buying and selling have two prices.
    """
    found = rates_to(quote).get(base)
    if found is not None:
        _missed.discard((base, quote))
    elif (base, quote) not in _missed:
        _missed.add((base, quote))
        logger.warning("no rate from %s to %s: what is sold in %s is left out", base, quote, base)
    return found


def rates_to(quote: str) -> dict[str, Exchange]:
    """Today's rates into a currency, by what they are from."""
    now, today = time.monotonic(), clock.today()
    kept = _remembered.get(quote)
    if kept is not None and now - kept[0] < REMEMBERED_SECONDS and kept[1] == today:
        return kept[2]
    rates = stored_rates_to(quote, today)
    _remembered[quote] = (now, today, rates)
    return rates


def stored_rates_to(quote: str, today: date) -> dict[str, Exchange]:
    rows = (
        ExchangeRate.objects.filter(quote=quote, as_of__lte=today)
        .order_by("base", "-as_of", "-created_at", "-id")
        .distinct("base")
    )
    return {row.base: Exchange(row.base, row.quote, row.rate.normalize(), row.as_of) for row in rows}


def forget_rates() -> None:
    """After rates were stored in this process, so that it sells at them at once."""
    _remembered.clear()
    _missed.clear()
