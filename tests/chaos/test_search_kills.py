"""kill -9 in a search, between its unit of the quota and its bill: what was answered is billed, and no more (reliability Q1)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.gateway import search_quota
from apps.gateway.models import SearchQuotaDay, SearchUnit, SearchUsage
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Terms, onboard_partner
from tests.chaos.beat import wait_until_none
from tests.chaos.persistence import all_insist, wait_until_answered
from tests.chaos.search_app import POINTS
from tests.support import stack
from tests.support.flight_shop import day
from tests.support.stack import SHORT_WAITS, HttpApi

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": day(60).isoformat()}
SEARCHES = 12
LIMITS = {"SEARCH": 10**6, "BOOKING": 10**6, "READ": 10**6}


@pytest.fixture(scope="module")
def weak_web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The service's address, and where its weak points are armed."""
    armed = tmp_path_factory.mktemp("armed-searches")
    environment = {"DATABASE_URL": stack.test_database_url(), "CHAOS_ARMED": armed, **SHORT_WAITS}
    with stack.serving(environment, application="tests.chaos.search_app:application") as url:
        yield url, armed


def test_what_is_used_of_the_quota_is_what_was_billed_and_answered(
    weak_web: tuple[str, Path], runs: int, figure: Callable[[str], None]
):
    url, armed = weak_web
    quota = runs * len(POINTS) * SEARCHES
    partner = onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=0, scopes=ENFORCED, rates=LIMITS, search_quota=quota)
    )
    api = HttpApi(url, partner.test_secret)
    answered = []

    for number in range(runs):
        for point in POINTS:
            wait_until_answered(lambda: api.get("/v1/account"), times=5)
            (armed / point).write_text("KILL")
            keys = [f"search-{number}-{point}-{each}" for each in range(SEARCHES)]
            answered += all_insist(
                [lambda key=key: api.post("/v1/flights/searches", SEARCH, key) for key in keys]
            )
            assert not (armed / point).exists(), "no search came by"

    # The quota had room for each of them once: a unit that stayed with a dead process would have refused the last.
    assert [answer.reply.status for answer in answered] == [201] * quota
    given_back = 0

    def units_of_the_dead() -> int:
        """Given back once the leases of those who took them are over."""
        nonlocal given_back
        given_back += search_quota.give_back_lapsed()
        return SearchUnit.objects.count()

    wait_until_none(units_of_the_dead)
    # Of both days, where midnight came in between.
    assert sum(SearchUsage.objects.values_list("billable", flat=True)) == quota
    assert sum(SearchQuotaDay.objects.values_list("used", flat=True)) == quota
    broken = sum(1 for answer in answered if answer.before)
    figure(
        f"search kills: {quota} searches, {broken} of them broken off, {quota} billed, {given_back} units swept"
    )
