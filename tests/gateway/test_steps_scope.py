"""Step 9: what a key opens, by what is sold to its environment and by its scopes."""

from dataclasses import replace
from typing import Any

import pytest

from apps.common.errors import InsufficientScope, ProductNotOffered, WrongEnvironment
from apps.gateway import steps
from apps.gateway.routes import ANY_SCOPE, RateClass, Route
from tests.gateway.stepped import PARTNER, READ, call_of, refused


def test_a_scope_that_is_missing_is_named():
    call = call_of()
    call.partner_found = replace(PARTNER, scopes=frozenset({"flights:search"}))
    error = refused(steps.scope, call, InsufficientScope)

    assert error.extras == {"missingScope": "flights:book"}
    assert error.why == "The operation needs the scope flights:book; the key has flights:search."


def test_where_live_keys_are_sold_nothing_they_are_refused_what_sells_and_nothing_else(settings):
    settings.SUPPLIERS, settings.SIMULATE_LIVE_KEYS = {"flights": {"live": "simulator"}}, False
    call = call_of()
    call.partner_found = replace(PARTNER, environment="live")

    error = refused(steps.scope, call, ProductNotOffered)

    assert error.extras == {"product": "flights"}
    for goes_on in (replace(READ, after_sale=True), replace(READ, scope=ANY_SCOPE)):
        call.routes = {"GET": goes_on}
        steps.scope(call)
    call.routes, call.partner_found = {"GET": READ}, PARTNER
    steps.scope(call)


@pytest.mark.parametrize(
    ("supplier", "environment", "message"),
    [
        ("off", "test", "flights is not offered here; see `product`."),
        ("off", "live", "flights is not offered here; see `product`."),
        ("simulator", "live", "flights is not offered to live keys here; see `product`."),
    ],
)
def test_who_may_not_buy_a_product_is_told_whether_others_may(
    settings: Any, supplier: str, environment: str, message: str
):
    settings.SUPPLIERS, settings.SIMULATE_LIVE_KEYS = {"flights": {"live": supplier}}, False
    call = call_of()
    call.partner_found = replace(PARTNER, environment=environment)

    assert refused(steps.scope, call, ProductNotOffered).message == message


def test_a_control_of_the_sandbox_opens_to_any_test_key_and_to_no_live_one() -> None:
    call = call_of()
    call.routes = {"GET": Route("clock", sandbox=True, rate_class=RateClass.READ, answer=None)}
    call.partner_found = replace(PARTNER, scopes=frozenset())
    steps.scope(call)

    call.partner_found = replace(PARTNER, environment="live")
    error = refused(steps.scope, call, WrongEnvironment)

    message = "The sandbox takes test keys alone."
    assert (error.status_code, error.message, error.own_texts) == (403, message, {message})
    assert error.why == "The controls of the sandbox take test keys alone; the key is a live key."
    assert error.extras == {"gatewayEnvironment": "test", "keyEnvironment": "live"}
