"""How many calls of one account and environment a process carries out at once."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import Account
from apps.gateway.models import IdempotencyRecord
from apps.gateway.throttling import ConcurrencyThrottle
from apps.keys.partner import Partner
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(settings: Any) -> Api:
    settings.WEB_THREADS, settings.WEB_ACCOUNT_CALLS = 12, 0
    return api_of_new_partner()


@pytest.fixture
def busy(api: Api) -> Iterator[Partner]:
    """The account has as many calls as it may."""
    partner = partner_of(api)
    for _ in range(6):
        ConcurrencyThrottle.enter(partner)
    yield partner
    for _ in range(6):
        ConcurrencyThrottle.leave(partner)


def test_a_call_beyond_half_of_the_threads_is_rejected_before_its_key_is_claimed(api: Api, busy: Partner):
    reply = api.post("/v1/flights/searches", {"origin": "LIS"})

    assert (reply.status, reply.error_type, reply.error["retryAfter"]) == (429, "rate_limit_exceeded", 1)
    assert reply.headers["Retry-After"] == "1"
    assert IdempotencyRecord.objects.count() == 0


def test_a_rejected_call_takes_no_place(api: Api, busy: Partner):
    assert api.get("/v1/account").status == 429
    ConcurrencyThrottle.leave(busy)
    assert [api.get("/v1/account").status for _ in range(2)] == [200, 200]
    ConcurrencyThrottle.enter(busy)


def test_other_accounts_are_served(busy: Partner):
    assert api_of_new_partner().get("/v1/account").status == 200


def test_the_environments_of_an_account_are_counted_apart(api: Api, busy: Partner):
    live = api_of_new_partner(environment="live", account=Account.objects.get(pk=busy.account_id))
    assert live.get("/v1/account").status == 200


def test_a_call_that_has_ended_is_not_counted(api: Api):
    statuses = {api.get("/v1/account").status, api.post("/v1/flights/searches", {}).status}
    assert statuses == {200, 400}
    assert ConcurrencyThrottle.running == {}
