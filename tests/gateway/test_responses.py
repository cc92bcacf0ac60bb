"""An answer as an HTTP response: its body, its type, and the headers as far as the call has come."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.test import RequestFactory

from apps.common import clock
from apps.gateway import search_quota, throttling, viewsets
from apps.gateway.operations import Operation, RateClass
from apps.gateway.requests import PartnerRequest, Window
from apps.gateway.responses import Answer
from apps.gateway.sandbox import Trigger
from apps.gateway.search_quota import Quota
from apps.keys.partner import Partner

SEARCH = Operation("search", rate_class=RateClass.SEARCH, answer=None, product="flights")
READ = Operation("read", rate_class=RateClass.READ, answer=None)
PARTNER = Partner("acc_a", "active", "key_a", "test", frozenset(), (), "EUR", 0)
WINDOW = Window(limit=5, used=2, reset_at=60)
RATES = {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "60"}


def call_of(method: str = "GET", **state: Any) -> PartnerRequest:
    request = RequestFactory().generic(method, "/v1/flights")
    call = PartnerRequest(request, {"GET": READ, "POST": SEARCH})
    for name, value in state.items():
        setattr(call, name, value)
    return call


@pytest.fixture
def quota() -> Quota:
    return Quota(9, 4, clock.today())


@pytest.mark.parametrize(
    ("body", "status", "content", "kind"),
    [
        ({"n": 1}, 201, b'{"n":1}', "application/json"),
        (b"as stored", 200, b"as stored", "application/json"),
        ([], 200, b"[]", "application/json"),
        (None, 204, b"", None),
    ],
)
def test_bytes_are_sent_as_they_are_and_the_rest_as_json(
    body: object, status: int, content: bytes, kind: str | None
):
    answer = Answer(body, status)

    assert answer.body == content
    assert answer.headers.get("Content-Type") == kind


def test_a_call_without_a_key_shows_the_window_of_its_address_and_that_it_costs_nothing():
    read, search = (viewsets.headers(call_of(method, window=WINDOW)) for method in ("GET", "POST"))

    assert read == RATES
    assert search == {**read, "X-Search-Billable": "false"}


@pytest.mark.parametrize(
    ("method", "billable", "told"),
    [
        ("GET", None, {}),
        ("POST", True, {"X-Search-Billable": "true"}),
        ("POST", False, {"X-Search-Billable": "false"}),
        ("POST", None, {"X-Search-Billable": "false"}),
        ("DELETE", None, {}),
    ],
)
def test_a_call_with_a_key_shows_its_windows_and_what_it_cost(
    quota: Quota, method: str, billable: bool | None, told: dict[str, str]
):
    call = call_of(method, known_partner=PARTNER, window=WINDOW, quota=quota, billable=billable)

    assert viewsets.headers(call) == {
        "X-Environment": "test",
        **RATES,
        **quota.headers,
        **told,
    }


def test_what_no_step_has_read_is_read_now(monkeypatch, quota: Quota):
    asked: list[Any] = []
    monkeypatch.setattr(throttling, "peek", lambda *of: asked.append(of) or WINDOW)
    monkeypatch.setattr(search_quota, "read", lambda *of: asked.append(of) or quota)

    found = viewsets.headers(call_of(known_partner=PARTNER))

    assert asked == [(PARTNER, RateClass.READ), (PARTNER,)]
    assert found == {"X-Environment": "test", **RATES, **quota.headers}


@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
def test_without_the_database_an_answer_shows_no_quota(monkeypatch, failure: type[Exception]):
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(search_quota, "read", fail)
    call = call_of(known_partner=PARTNER, window=WINDOW)

    assert viewsets.headers(call) == {"X-Environment": "test", **RATES}


@pytest.mark.parametrize(
    ("trigger", "ignored", "told"),
    [
        (Trigger(), "", {}),
        (Trigger("sbx_slow"), "", {}),
        (Trigger("sbx_slow", fired=True), "", {"X-Sandbox-Trigger": "sbx_slow"}),
        (Trigger(), "sbx_slow", {"X-Sandbox-Trigger-Ignored": "sbx_slow"}),
    ],
)
def test_a_trigger_is_confirmed_once_it_fired(trigger: Trigger, ignored: str, told: dict[str, str]):
    call = call_of(trigger=trigger, trigger_ignored=ignored)

    assert viewsets.headers(call) == told


@pytest.mark.parametrize(("faults", "may_happen"), [({}, False), ({"latency_ms": 250}, True)])
def test_an_answer_is_put_to_the_faults_dial_only_where_that_is_set(
    faults: dict[str, int], may_happen: bool
) -> None:
    call = call_of(known_partner=replace(PARTNER, faults=faults))

    assert viewsets.has_faults(call) is may_happen
