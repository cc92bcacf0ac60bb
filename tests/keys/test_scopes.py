from typing import Any

import pytest

from apps.common.errors import InvalidRequest
from apps.keys import scopes
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


def test_a_new_key_gets_all_enforced_scopes_but_webhooks_manage():
    assert set(scopes.ENFORCED) - set(scopes.DEFAULT) == {"webhooks:manage"}
    assert set(scopes.DEFAULT) - set(scopes.ENFORCED) == set()


def test_scopes_come_back_once_each_in_the_order_of_the_contract():
    asked = ["stream:subscribe", "esim:read", "account:read", "esim:read"]

    assert scopes.validate_scopes(asked) == ["account:read", "esim:read", "stream:subscribe"]


def test_every_unknown_scope_is_named_with_its_place():
    with pytest.raises(InvalidRequest) as refusal:
        scopes.validate_scopes(["esim:read", "esim:write", "ESIM:READ"])

    assert refusal.value.extras["details"] == [
        {"field": "scopes.1", "message": "'esim:write' is not a scope."},
        {"field": "scopes.2", "message": "'ESIM:READ' is not a scope."},
    ]


def test_a_key_without_any_scope_is_refused():
    with pytest.raises(InvalidRequest) as refusal:
        scopes.validate_scopes([])

    assert refusal.value.extras["details"][0]["field"] == "scopes"


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
