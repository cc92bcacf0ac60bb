"""Promise Q1: billable searches never exceed the day's quota; replays and failed searches do not count."""

from collections import Counter
from datetime import timedelta

import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import RateLimitExceeded
from apps.gateway import search_quota
from apps.gateway.models import IdempotencyRecord, SearchQuotaDay, SearchUnit, SearchUsage
from apps.gateway.search_quota import Quota
from tests.factories.gateway import SearchQuotaDayFactory, api_of_new_partner, partner_of
from tests.gateway.searches import FLIGHTS, quota_of
from tests.support.threads import all_at_once

pytestmark = pytest.mark.usefixtures("noon")

TRANSFERS = {
    "from": {"type": "IATA", "code": "BCN"},
    "to": {"type": "IATA", "code": "MAD"},
    "outbound": "2027-02-10T14:30:00",
    "adults": 1,
}


@pytest.mark.django_db
def test_a_search_costs_one_and_says_so():
    api = api_of_new_partner()
    Account.objects.update(search_quota=3)

    searched = api.post("/v1/flights/searches", FLIGHTS)
    repriced = api.get(f"/v1/flights/offers/{searched.body['offers'][0]['offerId']}")

    assert (searched.status, quota_of(searched)) == (201, (3, 2, "true"))
    assert (repriced.status, quota_of(repriced)) == (200, (3, 1, "true"))
    assert quota_of(api.get("/v1/account")) == (3, 1, None)
    assert quota_of(api.get("/v1/flights/orders")) == (3, 1, None)


@pytest.mark.django_db
def test_above_the_quota_it_is_429_without_retry_after_and_the_key_is_free_again(move_clock, supplier_calls):
    api = api_of_new_partner()
    Account.objects.update(search_quota=1)
    assert api.post("/v1/flights/searches", FLIGHTS).status == 201
    del supplier_calls[:]

    refused = api.post("/v1/flights/searches", FLIGHTS, key="tomorrow-then")

    assert (refused.status, refused.error_type) == (429, "rate_limit_exceeded")
    assert "Retry-After" not in refused.headers
    assert "retryAfter" not in refused.error
    assert quota_of(refused) == (1, 0, "false")
    assert supplier_calls == []
    assert IdempotencyRecord.objects.get(key="tomorrow-then").state == "released"
    move_clock(days=1)
    again = api.post("/v1/flights/searches", FLIGHTS, key="tomorrow-then")
    assert (again.status, quota_of(again)) == (201, (1, 0, "true"))


@pytest.mark.django_db
def test_a_quota_of_nothing_admits_not_even_the_first(supplier_calls):
    api = api_of_new_partner()
    Account.objects.update(search_quota=0)

    refused = [api.post("/v1/flights/searches", FLIGHTS) for _ in range(2)]

    assert [(reply.status, quota_of(reply)) for reply in refused] == [(429, (0, 0, "false"))] * 2
    assert (supplier_calls, SearchQuotaDay.objects.count(), SearchUnit.objects.count()) == ([], 0, 0)


@pytest.mark.django_db
def test_a_search_that_fails_gives_its_unit_back_and_is_not_billed():
    api = api_of_new_partner()
    failed = api.post("/v1/flights/searches", FLIGHTS, X_Partner_Customer_Ref="sbx_supplier_error")
    expired = api.get("/v1/flights/offers/offer_unknown")

    assert (failed.status, quota_of(failed)) == (502, (5000, 5000, "false"))
    assert (expired.status, quota_of(expired)) == (410, (5000, 5000, "false"))
    assert list(SearchQuotaDay.objects.values_list("used", flat=True)) == [0]
    assert not SearchUsage.objects.exists()


@pytest.mark.django_db
def test_a_replay_is_free_and_equal():
    api = api_of_new_partner()
    first = api.post("/v1/flights/searches", FLIGHTS, key="replayed-search")
    second = api.post("/v1/flights/searches", FLIGHTS, key="replayed-search")

    assert second.headers["Idempotent-Replayed"] == "true"
    assert (first.content, quota_of(first)) == (second.content, (5000, 4999, "true"))
    assert quota_of(second) == (5000, 4999, "false")
    assert [usage.billable for usage in SearchUsage.objects.all()] == [1]


@pytest.mark.django_db
def test_searches_refused_by_validation_take_nothing():
    api = api_of_new_partner()
    refused = api.post("/v1/flights/searches", {**FLIGHTS, "origin": "XXXX"})

    assert (refused.status, quota_of(refused)) == (400, (5000, 5000, "false"))
    assert not SearchQuotaDay.objects.exists()


@pytest.mark.django_db
def test_billable_searches_are_kept_by_day_product_and_key(move_clock):
    api = api_of_new_partner()
    other = api_of_new_partner(account=Account.objects.get())
    for caller, path, body in [
        (api, "flights", FLIGHTS),
        (api, "flights", FLIGHTS),
        (api, "hotels", {}),
        (other, "transfers", TRANSFERS),
    ]:
        assert caller.post(f"/v1/{path}/searches", body).status == 201
    today = clock.today().isoformat()
    move_clock(days=1)
    assert api.post("/v1/hotels/searches", {}).status == 201

    key, other_key = (partner_of(caller).key_id for caller in (api, other))
    usage = api.get("/v1/account/usage").body["data"]
    lines = [(line["date"], line["product"], line["keyId"], line["billableSearches"]) for line in usage]
    assert sorted(lines) == sorted(
        [
            (today, "flights", key, 2),
            (today, "hotels", key, 1),
            (today, "transfers", other_key, 1),
            (clock.today().isoformat(), "hotels", key, 1),
        ]
    )


@pytest.mark.django_db
def test_environments_and_accounts_have_quotas_of_their_own():
    api = api_of_new_partner(environment="live")
    account = Account.objects.get()
    Account.objects.update(search_quota=1)
    test_api = api_of_new_partner(account=account)
    stranger = api_of_new_partner()

    assert [api.post("/v1/flights/searches", FLIGHTS).status for _ in range(2)] == [201, 429]
    assert [test_api.post("/v1/flights/searches", FLIGHTS).status for _ in range(2)] == [201, 429]
    assert stranger.post("/v1/flights/searches", FLIGHTS).status == 201


@pytest.mark.django_db
def test_a_unit_taken_before_midnight_goes_back_to_the_day_it_was_taken_from(move_clock):
    partner = partner_of(api_of_new_partner())
    taken = search_quota.take(partner)
    search_quota.take(partner)
    move_clock(days=1)
    search_quota.take(partner)

    search_quota.give_back(taken)

    assert list(SearchQuotaDay.objects.order_by("day").values_list("used", flat=True)) == [1, 1]


@pytest.mark.django_db
def test_the_quota_of_a_page_is_the_accounts_own_or_the_deployments(settings):
    settings.SEARCH_QUOTA_PER_DAY = 70
    SearchQuotaDayFactory(used=9)  # another account's
    partner = partner_of(api_of_new_partner())
    account = Account.objects.get(pk=partner.account_id)
    SearchQuotaDayFactory(account=account, day=clock.today() - timedelta(days=1), used=8)
    search_quota.take(partner)

    assert search_quota.read_for(account, "test", clock.today()) == Quota(70, 1, clock.today())
    assert search_quota.read_for(account, "live", clock.today()) == Quota(70, 0, clock.today())
    account.search_quota = 0
    assert search_quota.read_for(account, "test", clock.today()) == Quota(0, 1, clock.today())


@pytest.mark.django_db(transaction=True)
def test_under_threads_exactly_the_cap_is_taken_while_failures_give_back():
    cap, threads, each = 50, 16, 10
    api = api_of_new_partner()
    Account.objects.update(search_quota=cap)
    partner = partner_of(api)

    def searches() -> list[str]:
        results = []
        for number in range(each):
            try:
                quota = search_quota.take(partner)
            except RateLimitExceeded:
                results.append("refused")
                continue
            assert quota.used <= cap
            if number % 5 == 4:  # a search that fails
                search_quota.give_back(quota)
                results.append("failed")
            else:
                search_quota.bill(partner, quota, "flights")
                results.append("billed")
        return results

    found = Counter(result for results in all_at_once([searches] * threads) for result in results)

    assert found.total() == threads * each
    assert found["billed"] <= cap
    assert SearchUsage.objects.get().billable == found["billed"] == SearchQuotaDay.objects.get().used
    while SearchQuotaDay.objects.get().used < cap:
        search_quota.bill(partner, search_quota.take(partner), "flights")
    with pytest.raises(RateLimitExceeded):
        search_quota.take(partner)
    assert SearchUsage.objects.get().billable == cap
