"""What is counted of a call, and the gate that a refusal is told by."""

import time
from typing import Any

import pytest
from django.test import RequestFactory

from apps.common.errors import NotFound
from apps.common.metrics import counting
from apps.gateway.metrics import calls
from apps.gateway.request_log import note
from apps.keys.scopes import ENFORCED
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Grows with everything that is counted."""
    seen: list[tuple[Any, ...]] = []
    monkeypatch.setattr(counting, "is_on", True)
    monkeypatch.setattr(calls.CALLS, "add", lambda *labels: seen.append(("call", *labels)))
    monkeypatch.setattr(calls.REFUSALS, "add", lambda *labels: seen.append(("refusal", *labels)))
    monkeypatch.setattr(
        calls.CALL_SECONDS, "observe", lambda seconds, label: seen.append((seconds < 9, label))
    )
    return seen


def test_a_call_is_counted_by_its_operation_and_status(counted: list[tuple[Any, ...]]) -> None:
    assert api_of_new_partner(scopes=list(ENFORCED)).get("/v1/account").status == 200
    assert counted == [("call", "getAccount", "200"), (True, "getAccount")]


def test_a_refusal_is_counted_by_the_gate_that_made_it(counted: list[tuple[Any, ...]]) -> None:
    api = api_of_new_partner(scopes=["hotels:book"])
    assert api.get("/v1/flights/orders").status == 403
    assert Api("svc_test_nobody").get("/v1/account").status == 401
    assert api.get("/v1/nowhere").status == 404
    assert api.send("PUT", "/v1/account", {}).status == 405
    assert [seen for seen in counted if seen[0] in {"call", "refusal"}] == [
        ("call", "listFlightOrders", "403"),
        ("refusal", "scope", "insufficient_scope"),
        ("call", "getAccount", "401"),
        ("refusal", "bearer_key", "invalid_api_key"),
        ("call", "none", "404"),
        ("refusal", "before any view", "not_found"),
        ("call", "none", "405"),
        ("refusal", "method", "method_not_allowed"),
    ]


def test_a_refusal_before_any_view_took_as_long_as_since_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[float, str]] = []
    monkeypatch.setattr(counting, "is_on", True)
    monkeypatch.setattr(calls.CALL_SECONDS, "observe", lambda *labels: seen.append(labels))
    request = RequestFactory().get("/v1/nowhere")
    note.refused_before_any_view(request, "a-request", NotFound(), time.monotonic() - 5)
    ((seconds, operation),) = seen
    assert (5 <= seconds < 10, operation) == (True, "none")
