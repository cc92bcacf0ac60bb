from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest

from apps.common import clock
from apps.common.errors import NotFound
from apps.esim.details import conversion, in_currency, sold_in
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from apps.suppliers.simulation import RATES


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
def test_dollars_become_minor_units_of_the_accounts_currency(cents, currency, expected):
    assert RATES["USD"] == Decimal("1.14")
    assert in_currency(cents, "USD", currency) == expected


class TestRealSuppliers:
    """Their prices are converted at stored rates, and only where there is one."""

    @pytest.fixture(autouse=True)
    def rates(self, db) -> Iterator[None]:
        ExchangeRate.objects.create(base="USD", quote="EUR", rate="0.875", as_of=clock.today())
        forget_rates()
        yield
        forget_rates()

    @pytest.mark.parametrize(("cents", "expected"), [(1_000, 875), (4, 4), (1, 1), (0, 0)])
    def test_a_stored_rate_is_rounded_half_up(self, cents: int, expected: int) -> None:
        assert conversion("vendor", "USD", "EUR")(cents) == expected

    def test_what_is_not_free_costs_one_unit_at_least_at_any_rate(self) -> None:
        ExchangeRate.objects.create(base="IDR", quote="EUR", rate="0.00005", as_of=clock.today())
        forget_rates()
        assert [conversion("vendor", "IDR", "EUR")(cents) for cents in (0, 1)] == [0, 1]

    def test_without_a_rate_there_is_no_price(self) -> None:
        with pytest.raises(NotFound) as raised:
            conversion("vendor", "USD", "GBP")
        assert raised.value.own_texts == {"There is no such plan."}

    def test_only_what_has_a_price_is_sold(self) -> None:
        assert sold_in("vendor", "EUR") == {"EUR", "USD"}
        assert sold_in("vendor", "GBP") == {"GBP"}
        assert sold_in("simulator", "GBP") is None

    def test_a_price_at_a_rate_of_long_ago_is_none(self, move_clock: Callable[..., None]) -> None:
        move_clock(days=8)
        assert sold_in("vendor", "EUR") == {"EUR"}
        with pytest.raises(NotFound):
            conversion("vendor", "USD", "EUR")
