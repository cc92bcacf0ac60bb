"""Offers of several currencies in the one that the account pays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.money import Cents
from apps.suppliers.currency import Exchange
from apps.suppliers.errors import Expired, PriceChanged
from apps.suppliers.rates import quoted_in, rate
from apps.suppliers.registry import GuardedAdapter
from apps.suppliers.results import Found, Withheld

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True)
class Offer:
    total_cents: Cents
    currency: str
    supplier_data: dict[str, str] = field(default_factory=dict)


def test_offers_with_a_rate_are_converted_and_others_left_out(store_rate: Callable[..., object]) -> None:
    store_rate("USD", "EUR", "0.9")
    offers = [Offer(1_000, "EUR"), Offer(1_000, "USD"), Offer(1_000, "GBP"), Offer(2_000, "USD")]
    quoted = quoted_in("EUR", Found(offers))
    assert [(offer.total_cents, offer.currency) for offer in quoted] == [
        (1_000, "EUR"),
        (900, "EUR"),
        (1_800, "EUR"),
    ]
    assert quoted[0] is offers[0]
    assert quoted.withheld == Withheld(unsupported=1)


def test_what_is_left_out_is_logged_once_a_pair(caplog: pytest.LogCaptureFixture) -> None:
    assert quoted_in("EUR", Found([Offer(1, "GBP")] * 30)) == []
    assert quoted_in("EUR", Found([Offer(1, "GBP"), Offer(1, "USD")])) == []
    assert [record.args for record in caplog.records] == [("GBP", "EUR", "GBP"), ("USD", "EUR", "USD")]


def test_offers_in_the_accounts_currency_cost_no_look_up() -> None:
    offers = [Offer(1_000, "EUR")] * 3
    with CaptureQueriesContext(connection) as queries:
        assert quoted_in("EUR", Found(offers)) == offers
    assert len(queries) == 0


class Dollars:
    """A supplier of one offer."""

    name = "dollars"
    now = Offer(1_000, "USD")

    def reprice(self, offer: Offer, *, strict: bool = False) -> Offer:
        if strict and self.now.total_cents > offer.total_cents:
            raise PriceChanged(self.now.total_cents)
        self.asked = offer
        return self.now

    def fail(self) -> None:
        raise Expired("gone")


@pytest.fixture
def exchange(store_rate: Callable[..., object]) -> Exchange:
    store_rate("USD", "EUR", "0.875")
    found = rate("USD", "EUR")
    assert found is not None
    return found


def test_an_adapter_speaks_the_accounts_currency(exchange: Exchange) -> None:
    behind = Dollars()
    supplier = GuardedAdapter(behind, exchange=exchange)
    (quoted,) = quoted_in("EUR", Found([behind.now]))
    assert supplier.name == "dollars"
    assert supplier.reprice(quoted) == quoted
    assert supplier.reprice(offer=quoted) == quoted
    assert behind.asked == behind.now


def test_a_price_that_changed_is_told_in_the_accounts_currency(exchange: Exchange) -> None:
    behind = Dollars()
    (quoted,) = quoted_in("EUR", Found([behind.now]))
    behind.now = replace(behind.now, total_cents=1_100)
    with pytest.raises(PriceChanged) as changed:
        GuardedAdapter(behind, exchange=exchange).reprice(quoted, strict=True)
    assert changed.value.current_cents == 963  # 962.5


def test_other_ends_of_a_call_pass(exchange: Exchange) -> None:
    with pytest.raises(Expired, match="gone"):
        GuardedAdapter(Dollars(), exchange=exchange).fail()


def test_without_a_rate_every_amount_passes_unchanged() -> None:
    behind = Dollars()
    offer = Offer(2_000, "USD")
    assert GuardedAdapter(behind).reprice(offer) is behind.now
    assert behind.asked is offer
