"""POST /sandbox/reset and /sandbox/funds."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db.models import F

from apps.accounts.models import Account, AccountAuditEntry, Sandbox
from apps.common import clock
from apps.common.errors import RateLimitExceeded
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import MOST_AT_ONCE_CENTS
from apps.onboarding import sandboxes
from apps.onboarding.sandboxes import open_sandbox
from tests.factories.keys import approved_account, issued_key
from tests.factories.ledger import WalletFactory
from tests.support.api import Api

pytestmark = pytest.mark.django_db

FLIGHT = {"origin": "LHR", "destination": "JFK", "limit": 1}
TRAVELLER = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1990-12-10", "type": "adult"}


@pytest.fixture
def account() -> Account:
    return WalletFactory(account=approved_account(), cents=1_000_000).account


@pytest.fixture
def api(account) -> Api:
    return Api(issued_key(account)[1])


def booked(api: Api, reference: str) -> str:
    day = (clock.today() + timedelta(days=60)).isoformat()
    search = api.post("/v1/flights/searches", {**FLIGHT, "departureDate": day})
    body = {
        "offerId": search.body["offers"][0]["offerId"],
        "externalReference": reference,
        "passengers": [TRAVELLER],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
    }
    order = api.post("/v1/flights/orders", body)
    assert order.status == 201, order.body
    return str(order.body["id"])


def test_a_reset_empties_the_environment_and_the_key_goes_on(api, account):
    booking_id = booked(api, "one")
    assert api.get(f"/v1/flights/orders/{booking_id}").status == 200
    assert api.post("/sandbox/clock", {"advanceSeconds": 86_400}).status == 200

    answer = api.post("/sandbox/reset")

    assert (answer.status, answer.body["sandbox"]) == (200, "Sandbox")
    assert answer.body["balance"] == {"currency": "EUR", "availableCents": 1_000_000, "heldCents": 0}
    assert api.get(f"/v1/flights/orders/{booking_id}").status == 404
    assert api.get("/v1/flights/orders").body["data"] == []
    [opening] = api.get("/v1/account/ledger").body["data"]
    assert (opening["type"], opening["amountCents"]) == ("top_up", 1_000_000)
    assert api.get("/sandbox/clock").body["offsetSeconds"] == 0
    shown = api.get("/v1/account").body
    assert (shown["id"], shown["name"]) == (account.pk, account.name)
    assert booked(api, "one") != booking_id


def test_a_retry_of_a_reset_finds_its_answer_and_resets_nothing(api):
    first = api.post("/sandbox/reset", key="the-same-key")
    booking_id = booked(api, "one")
    again = api.post("/sandbox/reset", key="the-same-key")

    assert (again.status, again.body, again.headers["Idempotent-Replayed"]) == (200, first.body, "true")
    assert api.get(f"/v1/flights/orders/{booking_id}").status == 200
    assert api.post("/sandbox/reset", key="another-key").status == 200
    assert api.get(f"/v1/flights/orders/{booking_id}").status == 404


def test_after_a_reset_the_real_time_counts_for_all_that_is_new(api, account):
    assert api.post("/sandbox/clock", {"advanceSeconds": 300 * 86_400}).status == 200

    first = api.post("/sandbox/reset", key="the-same-key")

    late = clock.rfc3339(clock.now() + timedelta(minutes=1))
    [opening] = api.get("/v1/account/ledger").body["data"]
    shown = [first.body["resetAt"], opening["createdAt"], api.get("/v1/account").body["key"]["createdAt"]]
    assert [each for each in shown if each > late] == []
    assert api.post("/sandbox/reset", key="the-same-key").headers["Idempotent-Replayed"] == "true"
    assert api.post("/sandbox/clock", {"advanceSeconds": 25 * 3600}).status == 200
    assert "Idempotent-Replayed" not in api.post("/sandbox/reset", key="the-same-key").headers


def test_resets_are_limited_by_the_real_day(api, account, monkeypatch):
    assert sandboxes.MAX_OPENED_A_DAY == 200
    monkeypatch.setattr(sandboxes, "MAX_OPENED_A_DAY", 2)
    assert [api.post("/sandbox/reset", key=f"reset-no-{n}").status for n in range(2)] == [200, 200]
    assert api.post("/sandbox/reset", key="reset-no-1").headers["Idempotent-Replayed"] == "true"
    assert api.post("/sandbox/clock", {"advanceSeconds": 2 * 86_400}).status == 200

    refused = api.post("/sandbox/reset", key="one-too-many")

    now = clock.now()
    until_midnight = 86_400 - (now - datetime.combine(now.date(), time(), UTC)).seconds
    assert (refused.status, refused.error_type) == (429, "rate_limit_exceeded")
    assert refused.headers["Retry-After"] == str(refused.error["retryAfter"])
    assert abs(refused.error["retryAfter"] - until_midnight) <= 5
    assert Sandbox.objects.filter(owner=account, retired_at=None).count() == 1
    assert api.get("/sandbox/clock").body["offsetSeconds"] == 2 * 86_400
    with pytest.raises(RateLimitExceeded):
        open_sandbox(account=account, name="CI")
    other = Api(issued_key(approved_account())[1])
    assert other.post("/sandbox/reset").status == 200

    Sandbox.objects.update(opened_at=F("opened_at") - timedelta(days=1))
    assert api.post("/sandbox/reset", key="one-too-many").status == 200


def test_funds_are_added_once_for_each_key(api, account):
    answers = [api.post("/sandbox/funds", {"amountCents": 250}, key="the-same-key") for _ in range(2)]

    assert [answer.status for answer in answers] == [200, 200]
    assert (
        answers[0].body
        == answers[1].body
        == {
            "currency": "EUR",
            "availableCents": 1_000_250,
            "heldCents": 0,
            "amountCents": 250,
        }
    )
    [line] = LedgerTransaction.objects.filter(amount_cents=250)
    assert (line.type, line.account_id, line.description) == ("top_up", account.pk, "Added in the sandbox")
    assert api.post("/sandbox/funds", {"amountCents": 1}).body["availableCents"] == 1_000_251
    entries = AccountAuditEntry.objects.filter(action="sandbox.funded").order_by("created_at")
    told = {"amountCents": 250, "currency": "EUR"}
    assert (entries.count(), entries[0].account_id, entries[0].details) == (2, account.pk, told)


@pytest.mark.parametrize("amount", [0, -1, 1.5, "1", None, True, MOST_AT_ONCE_CENTS + 1, 10**30])
def test_an_amount_that_cannot_be_added_is_refused_by_its_field(api, amount):
    refused = api.post("/sandbox/funds", {"amountCents": amount})
    assert (refused.status, refused.error["details"][0]["field"]) == (400, "amountCents")
    assert api.post("/sandbox/funds", {}).error["details"][0]["field"] == "amountCents"
    assert Wallet.objects.get().balance_cents == 1_000_000
