"""Scope × operation: a key with one scope opens that scope's operations and no other (reliability K4)."""

import pytest

from apps.gateway.operations import ANY_SCOPE
from apps.keys.scopes import GRANTABLE
from tests.contract.attempts import Attempt
from tests.support.operations import Operation, partner_operations

pytestmark = pytest.mark.django_db

OPERATIONS = [pytest.param(operation, id=operation.route.id) for operation in partner_operations()]


def answer_with(operation: Operation, scopes: list[str]) -> tuple[int, str, str | None]:
    """Status, error type and missing scope of a call by a key that has just these scopes."""
    attempt = Attempt(operation)
    attempt.change_key(scopes=scopes)
    response = attempt.send()
    error = response.json().get("error", {}) if response.content else {}
    return response.status_code, error.get("type", ""), error.get("missingScope")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_scope_alone_opens_its_own_operations_only(operation: Operation, supplier_calls: list[str]):
    missing = (403, "insufficient_scope", operation.route.scope)

    refused = {scope for scope in GRANTABLE if answer_with(operation, [scope]) == missing}
    calls_of_refused = len(supplier_calls)
    opened = answer_with(operation, [operation.a_scope])

    opening = set(GRANTABLE) if operation.route.scope == ANY_SCOPE else set(operation.route.scopes)
    assert refused == set(GRANTABLE) - opening
    assert opened[0] not in {401, 403}
    assert calls_of_refused <= 1, "the one scope that opens may have asked a supplier, no other"


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.id != "findOperation"])
def test_all_other_scopes_together_do_not_replace_the_right_one(
    operation: Operation, supplier_calls: list[str]
):
    others = [scope for scope in GRANTABLE if scope not in operation.route.scopes]

    assert answer_with(operation, others) == (403, "insufficient_scope", operation.route.scope)
    assert supplier_calls == []
