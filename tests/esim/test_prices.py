from decimal import Decimal

import pytest

from apps.esim.prices import in_currency
from apps.suppliers.simulation.exchange import RATES


@pytest.mark.parametrize("currency", ["USD", "EUR", "JPY", "XTS"])
def test_a_price_in_the_accounts_own_currency_stays(currency: str) -> None:
    assert in_currency(1_234, currency, currency) == 1_234


@pytest.mark.parametrize(
    ("cents", "currency", "expected"),
    [
        (1_140, "EUR", 1_000),  # $11.40 at 1.14
        (1_000, "EUR", 877),  # 8.7719… rounded
        (1_140, "JPY", 1_640),  # yen have no cents
        (1_140, "KWD", 3_500),  # dinars have three places
        (1_140, "GBP", 850),
        (0, "EUR", 0),
        (1, "KWD", 3),
        (1, "EUR", 1),
    ],
)
def test_dollars_become_minor_units_of_the_accounts_currency(
    cents: int, currency: str, expected: int
) -> None:
    assert RATES["USD"] == Decimal("1.14")
    assert in_currency(cents, "USD", currency) == expected


def test_what_is_not_free_costs_one_unit_at_least() -> None:
    assert in_currency(1, "IDR", "EUR") == 1


def test_a_currency_without_a_rate_counts_as_a_euro() -> None:
    assert in_currency(1_140, "USD", "BMD") == 1_000
    assert in_currency(1_000, "BMD", "USD") == 1_140
