"""Which stored rate counts today, what the table refuses, and offers in the currency that the account pays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError

from apps.common import clock
from apps.common.money import Cents
from apps.suppliers.currency import Exchange
from apps.suppliers.errors import Expired, PriceChanged
from apps.suppliers.models import ExchangeRate, SupplierAlert
from apps.suppliers.rates import quoted_in, rate, rates_to
from apps.suppliers.registry import GuardedAdapter
from apps.suppliers.results import Found, PenaltyStep, Withheld, without_idle

pytestmark = pytest.mark.django_db


Store = Callable[..., ExchangeRate]


def now_is(base: str, quote: str) -> Decimal | None:
    found = rate(base, quote)
    return found.rate if found else None


def test_the_newest_day_up_to_today_counts(store_rate: Store) -> None:
    today = clock.today()
    store_rate("USD", "EUR", "0.9", today - timedelta(days=2))
    store_rate("USD", "EUR", "0.8", today - timedelta(days=400))
    store_rate("USD", "EUR", "0.7", today + timedelta(days=1))
    found = rate("USD", "EUR")
    assert found is not None
    assert (found.rate, found.as_of) == (Decimal("0.9"), today - timedelta(days=2))


def test_the_opposite_pair_is_no_rate_and_is_logged_once(
    store_rate: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store_rate("USD", "EUR", "0.9")
    assert [now_is("EUR", "USD"), now_is("EUR", "USD")] == [None, None]
    assert [record.message for record in caplog.records] == [
        "no rate from EUR to USD: what is sold in EUR is left out"
    ]


def alerts() -> list[tuple[str, str, str, int]]:
    return list(SupplierAlert.objects.values_list("supplier", "kind", "detail", "count"))


def test_a_rate_counts_for_a_week_and_on_its_last_day_staff_are_told_once(
    store_rate: Store, move_clock: Callable[..., None]
) -> None:
    stored = store_rate("USD", "EUR", "0.9")
    move_clock(days=6)
    assert (now_is("USD", "EUR"), alerts()) == (Decimal("0.9"), [])
    move_clock(days=1)
    assert [now_is("USD", "EUR"), now_is("USD", "EUR")] == [Decimal("0.9")] * 2
    told = f"USD to EUR is as of {stored.as_of}, and nothing is sold at it after 7 days"
    assert alerts() == [("exchange rates", "exchange_rate_old", told, 1)]


def test_one_that_is_too_old_is_none_and_staff_are_told_each_day(
    store_rate: Store, move_clock: Callable[..., None]
) -> None:
    stored = store_rate("USD", "EUR", "0.9")
    for _ in range(2):
        move_clock(days=8)
        assert [now_is("USD", "EUR"), now_is("USD", "EUR"), rates_to("EUR")] == [None, None, {}]
    ((_, _, told, times),) = alerts()
    assert (told.startswith(f"USD to EUR is as of {stored.as_of},"), times) == (True, 2)
    store_rate("USD", "EUR", "0.8")
    assert (now_is("USD", "EUR"), list(rates_to("EUR"))) == (Decimal("0.8"), ["USD"])


@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({"rate": Decimal(0)}, "exchange_rate_above_zero"),
        ({"rate": Decimal(-1)}, "exchange_rate_above_zero"),
        ({"base": "usd"}, "exchange_rate_currencies_are_codes"),
        ({"quote": "EU"}, "exchange_rate_currencies_are_codes"),
        ({"base": "EUR"}, "exchange_rate_of_two_currencies"),
    ],
    ids=str,
)
def test_the_database_refuses_what_is_no_rate(wrong: dict[str, Any], constraint: str) -> None:
    fields = {"base": "USD", "quote": "EUR", "rate": Decimal("0.9"), "as_of": clock.today(), **wrong}
    with pytest.raises(IntegrityError, match=constraint):
        ExchangeRate.objects.create(**fields)


@pytest.mark.parametrize(
    "alter", [lambda rows: rows.update(rate=1), lambda rows: rows.delete()], ids=["update", "delete"]
)
def test_a_stored_rate_stays(store_rate: Store, alter: Callable[[Any], object]) -> None:
    store_rate("USD", "EUR", "0.9")
    with pytest.raises(IntegrityError, match="append-only"):
        alter(ExchangeRate.objects.all())


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


def test_what_is_over_is_counted_beside_what_was_withheld_before() -> None:
    sold = Found([1, 2, 3], Withheld(unreadable=1)).still_sold(lambda offer: offer > 1)
    assert (sold, sold.withheld) == ([1], Withheld(no_longer_sold=2, unreadable=1))


NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_a_step_that_changes_nothing_is_none() -> None:
    free, paid, again = PenaltyStep(None, 0), PenaltyStep(NOON, 50), PenaltyStep(NOON + SECOND, 50)
    assert without_idle((free, paid, again)) == (paid,)
    assert without_idle((PenaltyStep(None, 50), PenaltyStep(NOON, 0))) == (
        PenaltyStep(None, 50),
        PenaltyStep(NOON, 0),
    )
