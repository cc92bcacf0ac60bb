"""What is counted of a call, and the gate that a refusal is told by."""

import pytest

from apps.keys.scopes import ENFORCED
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.figures import Counted

pytestmark = pytest.mark.django_db


def test_a_call_is_counted_by_its_operation_and_status() -> None:
    counted = Counted()
    assert api_of_new_partner(scopes=list(ENFORCED)).get("/v1/account").status == 200
    assert counted("calls_total") == {("getAccount", "200"): 1}
    assert counted("call_seconds_count") == {("getAccount",): 1}
    assert counted("refusals_total") == {}


def test_a_refusal_is_counted_by_the_gate_that_made_it() -> None:
    counted = Counted()
    api = api_of_new_partner(scopes=["hotels:book"])
    assert api.get("/v1/flights/orders").status == 403
    assert Api("svc_test_nobody").get("/v1/account").status == 401
    assert api.get("/v1/nowhere").status == 404
    assert api.send("PUT", "/v1/account", {}).status == 405
    assert counted("calls_total") == {
        ("listFlightOrders", "403"): 1,
        ("getAccount", "401"): 1,
        ("none", "404"): 1,
        ("none", "405"): 1,
    }
    assert counted("refusals_total") == {
        ("scope", "insufficient_scope"): 1,
        ("bearer_key", "invalid_api_key"): 1,
        ("before any view", "not_found"): 1,
        ("method", "method_not_allowed"): 1,
    }
