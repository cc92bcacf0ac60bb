"""Which products are sold, to which keys, and what scopes are left."""

from typing import Any

import pytest

from apps.common.errors import InvalidRequest
from apps.keys.scopes import (
    DEFAULT,
    GRANTABLE,
    WITHOUT_EFFECT,
    default,
    grantable,
    has_live_supplier,
    is_sold,
    is_sold_to,
    product_of,
    validate_scopes,
)
from tests.support.products_off import PRODUCTS, sell_all_but


@pytest.mark.parametrize(
    ("supplier", "simulated", "sold", "test", "live"),
    [
        ("off", True, False, False, False),
        ("simulator", True, True, True, True),
        ("simulator", False, True, True, False),
        ("duffel", True, True, True, True),
        ("duffel", False, True, True, True),
    ],
)
def test_who_may_buy_a_product(
    supplier: str, simulated: bool, sold: bool, test: bool, live: bool, settings: Any
) -> None:
    settings.SUPPLIERS, settings.SIMULATE_LIVE_KEYS = {"flights": {"live": supplier}}, simulated
    assert (is_sold("flights"), is_sold_to("flights", "test"), is_sold_to("flights", "live")) == (
        sold,
        test,
        live,
    )
    assert has_live_supplier("flights") is live


def test_only_scopes_of_products_belong_to_one() -> None:
    assert {product_of(scope) for scope in GRANTABLE} == {*PRODUCTS, ""}
    assert (product_of("esim:read"), product_of("account:read"), product_of("bookings:read")) == (
        "esim",
        "",
        "",
    )


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_new_key_gets_no_scope_of_what_is_not_sold(product: str, settings: Any) -> None:
    assert (grantable(), default()) == (list(GRANTABLE), list(DEFAULT))
    sell_all_but(settings, product)
    gone = {scope for scope in GRANTABLE if scope.startswith(f"{product}:")}
    assert set(grantable()) == set(GRANTABLE) - gone
    assert set(default()) == set(DEFAULT) - gone
    assert set(WITHOUT_EFFECT) < set(grantable())
    with pytest.raises(InvalidRequest) as refused:
        validate_scopes(["account:read", f"{product}:book", "nonsense"])
    assert refused.value.extras["details"] == [
        {"field": "scopes.1", "message": f"'{product}:book' belongs to a product that is not offered here."},
        {"field": "scopes.2", "message": "'nonsense' is not a scope."},
    ]
