"""A server without script, rates that staff stored, and no pauses between attempts."""

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

import pytest

from apps.common import clock
from apps.suppliers import http
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from tests.support.wire import Wire, wire


@pytest.fixture
def server() -> Iterator[Wire]:
    """A server without script yet: `server.acts.append(…)`."""
    with wire() as started:
        yield started


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BACKOFF_SECONDS", (0.0, 0.0))


@pytest.fixture
def store_rate(db: None) -> Callable[..., ExchangeRate]:
    """`store_rate("USD", "EUR", "0.9")`, as of today where no day is given."""

    def store(base: str, quote: str, rate: str, as_of: date | None = None) -> ExchangeRate:
        row = ExchangeRate.objects.create(
            base=base, quote=quote, rate=Decimal(rate), as_of=as_of or clock.today(), source="test"
        )
        forget_rates()
        return row

    return store
