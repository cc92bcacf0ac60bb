import pytest

from apps.common import money
from apps.suppliers.simulation import RATES, from_euro_cents


@pytest.mark.parametrize(
    ("currency", "minor_units"),
    [("EUR", 10_000), ("USD", 11_400), ("JPY", 16_400), ("KWD", 35_000), ("KRW", 156_000), ("XXX", 100)],
)
def test_a_hundred_euros_in_minor_units_of(currency: str, minor_units: int) -> None:
    assert from_euro_cents(10_000, currency) == minor_units


def test_every_rate_is_of_a_currency_that_exists() -> None:
    assert [code for code in RATES if not money.is_currency(code)] == []


def test_nothing_is_free_for_rounding() -> None:
    assert from_euro_cents(1, "KWD") == 4
    assert from_euro_cents(0, "JPY") == 1
