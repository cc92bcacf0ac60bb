"""Promise Q1: the unit of a search whose process died goes back to its quota, once."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection

from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import RateLimitExceeded
from apps.flights.services.reprice import reprice_offer
from apps.gateway import search_quota
from apps.gateway.models import SearchQuotaDay, SearchUnit, SearchUsage
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.gateway.searches import FLIGHTS, quota_of
from tests.support.api import Api
from tests.support.locks import locked
from tests.support.threads import all_at_once
from tests.webhooks.lock_order import has_locked_first

pytestmark = pytest.mark.usefixtures("noon")


class Killed(BaseException):
    """What no handler of a request meets: the process is gone."""


def killed_in_a_search(api: Api, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """A search whose process dies while the supplier is asked."""

    def die(**_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("apps.flights.views.search_flights", die)
        with pytest.raises(Killed):
            api.post("/v1/flights/searches", FLIGHTS, key=key)


def killed_in_a_repricing(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no Idempotency-Key, and takes a unit as well."""

    def die(**_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("apps.flights.views.reprice_offer", die)
        with pytest.raises(Killed):
            api.get("/v1/flights/offers/offer_unknown")


@pytest.mark.django_db
@pytest.mark.parametrize(("early", "given_back"), [(1, 0), (0, 1)])
def test_a_unit_lapses_at_its_instant(monkeypatch, early: int, given_back: int):
    partner, begun = partner_of(api_of_new_partner()), clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: begun)
    search_quota.take(partner)
    instant = begun + timedelta(seconds=45, microseconds=-early)
    monkeypatch.setattr(clock, "_database_now", lambda: instant)

    assert search_quota.give_back_lapsed() == given_back


@pytest.mark.django_db
def test_the_unit_of_a_search_that_died_is_there_for_the_call_that_takes_over(monkeypatch, move_clock):
    api = api_of_new_partner()
    Account.objects.update(search_quota=1)
    killed_in_a_search(api, monkeypatch, "dead-search")
    assert SearchQuotaDay.objects.get().used == 1

    move_clock(seconds=45)
    retried = api.post("/v1/flights/searches", FLIGHTS, key="dead-search")

    assert (retried.status, quota_of(retried)) == (201, (1, 0, "true"))
    assert (SearchUsage.objects.get().billable, SearchUnit.objects.count()) == (1, 0)
    assert api.post("/v1/flights/searches", FLIGHTS).status == 429


@pytest.mark.django_db
def test_the_sweep_gives_back_what_died_and_leaves_what_runs(monkeypatch, move_clock):
    api = api_of_new_partner()
    partner = partner_of(api)
    killed_in_a_search(api, monkeypatch, "dead-search")
    killed_in_a_repricing(api, monkeypatch)

    move_clock(seconds=44)
    running = search_quota.take(partner)
    assert search_quota.give_back_lapsed() == 0
    move_clock(seconds=2)
    assert (search_quota.give_back_lapsed(), search_quota.give_back_lapsed()) == (2, 0)
    assert (SearchQuotaDay.objects.get().used, SearchUnit.objects.get().pk) == (1, running.unit)


@pytest.mark.django_db
def test_who_needs_a_unit_gets_back_those_that_lapsed_of_the_same_quota_alone(move_clock):
    """Not of the other environment, another account or another day."""
    other_environment = api_of_new_partner(environment="live")
    Account.objects.update(search_quota=1)
    api = api_of_new_partner(account=Account.objects.get())
    live, mine = partner_of(other_environment), partner_of(api)
    stranger = partner_of(api_of_new_partner())
    search_quota.take(mine)
    move_clock(days=1)
    for other in (live, stranger):
        search_quota.take(other)
    search_quota.bill(mine, search_quota.take(mine), "flights")
    move_clock(seconds=46)

    with pytest.raises(RateLimitExceeded):
        search_quota.take(mine)

    assert SearchUnit.objects.count() == 3
    assert list(SearchQuotaDay.objects.values_list("used", flat=True)) == [1, 1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_under_threads_each_lapsed_unit_finds_the_call_that_needs_it(move_clock):
    """As many calls as units have died take over at one instant: none is refused."""
    dead = 8
    api = api_of_new_partner()
    Account.objects.update(search_quota=dead)
    partner = partner_of(api)
    for _ in range(10):
        for _ in range(dead):
            search_quota.take(partner)
        move_clock(seconds=46)

        taken = all_at_once([lambda: search_quota.take(partner)] * dead)

        assert len({quota.unit for quota in taken}) == dead
        move_clock(seconds=46)
        assert search_quota.give_back_lapsed() == dead


@pytest.mark.django_db(transaction=True)
def test_the_sweep_leaves_a_unit_that_is_just_being_billed(move_clock):
    partner = partner_of(api_of_new_partner())
    billed, died = search_quota.take(partner), search_quota.take(partner)
    move_clock(seconds=46)

    with locked(SearchUnit.objects.filter(pk=billed.unit)):
        assert [search_quota.give_back_lapsed() for _ in range(2)] == [1, 0]

    assert [unit.pk for unit in SearchUnit.objects.all()] == [billed.unit] != [died.unit]
    assert SearchQuotaDay.objects.get().used == 1


@pytest.mark.django_db(transaction=True)
def test_the_sweep_locks_the_day_before_its_units(move_clock):
    """Else a call that needs a unit could find all of them locked and the day still used up."""
    search_quota.take(partner_of(api_of_new_partner()))
    move_clock(seconds=46)

    unit, day = SearchUnit.objects.get(), SearchQuotaDay.objects.get()
    assert not has_locked_first(search_quota.give_back_lapsed, unit, day)
    assert not SearchUnit.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("others", "status"), [(0, 200), (1, 429)])
def test_a_search_that_outlived_its_unit_takes_another_or_is_refused(
    monkeypatch, move_clock, others: int, status: int
):
    """Billed without one it would be one more than the quota allows."""
    api = api_of_new_partner()
    Account.objects.update(search_quota=2)
    offer = api.post("/v1/flights/searches", FLIGHTS).body["offers"][0]["offerId"]

    def slow(**asked):
        move_clock(seconds=46)
        search_quota.give_back_lapsed()
        for _ in range(others):
            search_quota.bill(partner_of(api), search_quota.take(partner_of(api)), "hotels")
        return reprice_offer(**asked)

    monkeypatch.setattr("apps.flights.views.reprice_offer", slow)
    reply = api.get(f"/v1/flights/offers/{offer}")

    assert (reply.status, quota_of(reply)[2]) == (status, "true" if status == 200 else "false")
    assert sum(usage.billable for usage in SearchUsage.objects.all()) == 2
    assert (SearchQuotaDay.objects.get().used, SearchUnit.objects.count()) == (2, 0)


@pytest.mark.django_db(transaction=True)
def test_under_threads_units_that_die_come_back_once_and_the_cap_holds(settings):
    """Takers, billers, the dead and three sweeps at once: what is billed is what is used, and never above the cap."""
    settings.IDEMPOTENCY_LEASE_SECONDS = 0
    cap, threads, each = 30, 8, 40
    api = api_of_new_partner()
    Account.objects.update(search_quota=cap)
    partner = partner_of(api)

    def searches() -> int:
        billed = 0
        for number in range(each):
            try:
                quota = search_quota.take(partner)
                if number % 4:
                    search_quota.bill(partner, quota, "flights")
                    billed += 1
            except RateLimitExceeded:
                continue
        return billed

    def sweep() -> int:
        return 0 * sum(search_quota.give_back_lapsed() for _ in range(60))

    billed = sum(all_at_once([searches] * threads + [sweep] * 3))
    search_quota.give_back_lapsed()

    assert not SearchUnit.objects.exists()
    assert SearchUsage.objects.get().billable == billed == SearchQuotaDay.objects.get().used == cap


# --- An operation that counts as several searches ---------------------------------------------------------------


@pytest.mark.django_db
def test_several_units_are_taken_given_back_and_billed_together():
    partner = partner_of(api_of_new_partner())
    failed, billed = search_quota.take(partner, units=5), search_quota.take(partner, units=3)
    assert (failed.used, billed.used, SearchUnit.objects.count()) == (5, 8, 2)

    assert (search_quota.give_back(failed).used, search_quota.give_back(failed).used) == (0, 0)
    search_quota.bill(partner, billed, "hotels")

    assert (SearchQuotaDay.objects.get().used, SearchUsage.objects.get().billable) == (3, 3)
    assert not SearchUnit.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("limit", "used", "taken"), [(4, 0, True), (4, 1, False), (3, 0, False), (0, 0, False)]
)
def test_all_of_them_are_taken_or_none(limit: int, used: int, taken: bool):
    partner = partner_of(api_of_new_partner())
    for _ in range(used):
        search_quota.take(partner)
    Account.objects.update(search_quota=limit)
    narrow = replace(partner, search_quota=limit)

    if taken:
        assert search_quota.take(narrow, units=4).remaining == 0
    else:
        with pytest.raises(RateLimitExceeded, match="counts as 4 searches"):
            search_quota.take(narrow, units=4)
    assert sum(day.used for day in SearchQuotaDay.objects.all()) == (4 if taken else used)


@pytest.mark.django_db
def test_several_units_lapse_together_and_are_taken_again_when_billed(move_clock):
    """Also a row of the release before, which knew no number."""
    partner = partner_of(api_of_new_partner())
    late, dead = search_quota.take(partner, units=4), search_quota.take(partner, units=2)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO gateway_searchunit (id, quota_day_id, lapses_at) SELECT %s, quota_day_id, lapses_at"
            " FROM gateway_searchunit WHERE id = %s",
            [uuid4(), dead.unit],
        )
    SearchQuotaDay.objects.update(used=7)
    move_clock(seconds=46)
    assert (search_quota.give_back_lapsed(), SearchQuotaDay.objects.get().used) == (3, 0)

    billed = search_quota.bill(partner, late, "hotels")

    assert (billed.units, billed.used, SearchUsage.objects.get().billable) == (4, 4, 4)
    assert not SearchUnit.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_under_threads_no_more_units_are_taken_than_there_are():
    api = api_of_new_partner()
    Account.objects.update(search_quota=20)
    partner = partner_of(api)

    def take() -> int:
        try:
            return search_quota.take(partner, units=3).units
        except RateLimitExceeded:
            return 0

    assert sum(all_at_once([take] * 10)) == SearchQuotaDay.objects.get().used == 18
