"""An answer as an HTTP response: its body, its type, and the headers as far as the call has come."""

from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.test import RequestFactory

from apps.common import clock
from apps.gateway import search_quota, viewsets
from apps.gateway.operations import Operation, RateClass
from apps.gateway.requests import PartnerRequest, Window
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


def test_a_call_without_a_key_shows_the_window_of_its_address_and_that_it_costs_nothing():
    read, search = (viewsets.headers(call_of(method, window=WINDOW)) for method in ("GET", "POST"))

    assert read == RATES
    assert search == {**read, "X-Search-Billable": "false"}


@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
def test_without_the_database_an_answer_shows_no_quota(monkeypatch, failure: type[Exception]):
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(search_quota, "read", fail)
    call = call_of(known_partner=PARTNER, window=WINDOW)

    assert viewsets.headers(call) == {"X-Environment": "test", **RATES}
