import pytest

from apps.common.errors import InvalidRequest
from apps.keys import scopes


def test_eleven_scopes_are_enforced_and_three_more_may_be_granted():
    assert len(scopes.ENFORCED) == 11
    assert scopes.WITHOUT_EFFECT == ("bookings:read", "bookings:cancel", "stream:subscribe")
    assert len(set(scopes.GRANTABLE)) == 14


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
