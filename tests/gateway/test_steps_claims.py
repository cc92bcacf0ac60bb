"""The last checks: the claim on an Idempotency-Key, and the unit of the day's search quota."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.errors import RateLimitExceeded
from apps.gateway import search_quota, steps
from apps.gateway.answer import Answer
from apps.gateway.idempotency import Claim, StoredAnswer
from apps.gateway.models import SearchUnit
from apps.gateway.routes import RateClass, Route
from apps.gateway.search_quota import Quota
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.gateway.stepped import PARTNER, call_of, refused


@pytest.mark.django_db
def test_a_search_that_finds_no_unit_left_at_its_claim_is_refused_by_the_quota_s_own_step():
    api = api_of_new_partner()
    partner = replace(partner_of(api), search_quota=0)
    call = call_of("POST", b"{}", HTTP_IDEMPOTENCY_KEY="a-key-of-a-search")
    call.partner_found = partner
    steps.idempotency_claim(call)
    assert call.claim is not None
    assert (call.quota, call.stored) == (None, None)

    refused(steps.quota, call, RateLimitExceeded)
    assert call.quota is not None
    assert (call.billable, call.quota.limit, call.quota.remaining) == (None, 0, 0)
    read = call_of("GET")
    steps.idempotency_claim(read)
    steps.quota(read)
    assert (read.claim, read.quota, read.billable) == (None, None, None)


@pytest.mark.django_db
def test_what_is_no_search_takes_no_unit_with_its_claim():
    call = call_of("POST", b"{}", HTTP_IDEMPOTENCY_KEY="a-key-of-an-order")
    call.routes = {"POST": Route("order", rate_class=RateClass.BOOKING, answer=None)}
    call.partner_found = partner_of(api_of_new_partner())

    steps.idempotency_claim(call)

    assert call.claim is not None
    assert not SearchUnit.objects.exists()


@pytest.mark.django_db
def test_a_call_whose_key_was_answered_has_that_answer_and_claims_nothing():
    partner = partner_of(api_of_new_partner())
    first, again = (call_of("POST", b"{}", HTTP_IDEMPOTENCY_KEY="a-key-of-a-search") for _ in range(2))
    for call in (first, again):
        call.partner_found = partner
    steps.idempotency_claim(first)
    assert first.claim is not None
    first.claim.complete(Answer({"n": 1}, 201))

    steps.idempotency_claim(again)

    assert again.stored == StoredAnswer(201, b'{"n":1}', "")
    assert (again.claim, again.quota) == (None, None)


@pytest.mark.parametrize(("used", "shown"), [(3, 5), (5, 5), (7, 7)])
def test_a_search_that_is_refused_shows_a_quota_without_rest(monkeypatch, used: int, shown: int):
    """Also where another search gave its unit back since."""
    today = clock.today()

    def refuse(*_: object) -> None:
        raise RateLimitExceeded

    monkeypatch.setattr(search_quota, "take", refuse)
    monkeypatch.setattr(search_quota, "read", lambda partner: Quota(5, used, today))
    call = call_of("POST")

    refused(steps.quota, call, RateLimitExceeded)
    assert (call.quota, call.billable) == (Quota(5, shown, today), None)


def test_a_unit_is_taken_for_as_long_as_the_claim_lasts(monkeypatch):
    taken: list[Any] = []

    def take(*asked: Any) -> Quota:
        taken.append(asked)
        return Quota(5, 1, clock.today())

    monkeypatch.setattr(search_quota, "take", take)
    call = call_of("POST")
    steps.quota(call)
    call.claim = Claim(1, uuid.uuid4(), clock.now(), taken_over=False, clock_offset=timedelta(0))
    steps.quota(call)

    assert taken == [(PARTNER, None), (PARTNER, call.claim.lease_until)]
    assert (call.quota, call.billable) == (Quota(5, 1, clock.today()), True)
