"""Which stored rate counts today, how long it is remembered, and what the table refuses."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from apps.common import clock
from apps.suppliers import rates
from apps.suppliers.models import ExchangeRate, SupplierAlert
from apps.suppliers.rates import rate, rates_to

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


def test_of_one_days_rates_the_last_one_counts(store_rate: Store) -> None:
    store_rate("USD", "EUR", "9")
    store_rate("USD", "EUR", "0.9")
    assert now_is("USD", "EUR") == Decimal("0.9")


def test_tomorrows_rate_counts_tomorrow(store_rate: Store, move_clock: Callable[..., None]) -> None:
    store_rate("USD", "EUR", "0.9")
    store_rate("USD", "EUR", "0.7", clock.today() + timedelta(days=1))
    assert now_is("USD", "EUR") == Decimal("0.9")
    move_clock(days=1)
    assert now_is("USD", "EUR") == Decimal("0.7")


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


def test_how_long_a_rate_counts_is_a_setting(store_rate: Store, settings: LazySettings) -> None:
    store_rate("USD", "EUR", "0.9", clock.today() - timedelta(days=400))
    assert (now_is("USD", "EUR"), rates_to("EUR")) == (None, {})
    settings.EXCHANGE_RATE_MAX_AGE_DAYS = 400
    assert (now_is("USD", "EUR"), list(rates_to("EUR"))) == (Decimal("0.9"), ["USD"])


def test_a_pair_that_nobody_sells_in_is_nobodys_trouble(
    store_rate: Store, move_clock: Callable[..., None]
) -> None:
    store_rate("USD", "EUR", "0.9")
    store_rate("GBP", "EUR", "1.15")
    move_clock(days=8)
    store_rate("USD", "EUR", "0.9")
    assert (now_is("USD", "EUR"), alerts()) == (Decimal("0.9"), [])


def test_a_rate_is_remembered_for_a_minute(store_rate: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store_rate("USD", "EUR", "0.9")
    assert now_is("USD", "EUR") == Decimal("0.9")
    ExchangeRate.objects.create(base="USD", quote="EUR", rate=Decimal("0.8"), as_of=clock.today())
    with CaptureQueriesContext(connection) as queries:
        assert now_is("USD", "EUR") == Decimal("0.9")
    assert len(queries) == 0
    monkeypatch.setattr(rates, "REMEMBERED_SECONDS", 0.0)
    assert now_is("USD", "EUR") == Decimal("0.8")


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
