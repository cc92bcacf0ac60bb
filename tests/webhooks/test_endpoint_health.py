"""Whether an endpoint is failing, since when, and how it answers."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.common import clock
from apps.webhooks.endpoint_health import NEWEST, Health, endpoints_with_health, failing
from apps.webhooks.models import Attempt, Endpoint
from apps.webhooks.selectors import endpoints_of
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

pytestmark = pytest.mark.django_db

REFUSED = {"status_code": 500, "error_code": "status"}
ACCEPTED = {"status_code": 204}
SILENT = {"error_code": "timeout"}


@pytest.fixture
def own() -> Endpoint:
    return EndpointFactory()


def tried(endpoint: Endpoint, *tries: tuple[float, dict[str, object]]) -> None:
    """Each so many minutes ago, all of one delivery."""
    delivery, now = DeliveryFactory(endpoint=endpoint), clock.now()
    Attempt.objects.bulk_create(
        Attempt(
            delivery=delivery,
            endpoint=endpoint,
            number=number,
            attempted_at=now - timedelta(minutes=ago),
            **{"duration_ms": 10, **answer},
        )
        for number, (ago, answer) in enumerate(tries, start=1)
    )


def health(endpoint: Endpoint) -> Health:
    [(_, found)] = endpoints_with_health(
        endpoints_of(endpoint.account_id, "test").filter(pk=endpoint.pk), clock.now()
    )
    return found


def test_an_endpoint_that_refuses_all_is_failing_since_the_first_of_them(
    own: Endpoint, stopped_clock
) -> None:
    tried(own, (200, REFUSED), (130, ACCEPTED), *((minute, REFUSED) for minute in range(1, 66)))
    found, now = health(own), clock.now()
    assert (found.is_failing, found.failures, found.outcomes) == (True, 65, {"500": 65})
    assert found.failing_since == now - timedelta(minutes=65)
    assert (found.tries, found.accepted, found.share) == (67, 1, 1)


def test_those_that_fail_are_found_as_each_says_of_itself() -> None:
    lost = {"error_code": "lost"}
    fails = [
        [REFUSED],
        [SILENT, REFUSED],
        [ACCEPTED, REFUSED, REFUSED, SILENT],
        [REFUSED, lost],
    ]
    works = [[], [ACCEPTED], [ACCEPTED, REFUSED, REFUSED], [REFUSED, REFUSED, REFUSED, ACCEPTED], [lost]]
    endpoints = {
        True: EndpointFactory.create_batch(len(fails)),
        False: EndpointFactory.create_batch(len(works)),
    }
    for is_failing, tries in ((True, fails), (False, works)):
        for endpoint, answers in zip(endpoints[is_failing], tries, strict=True):
            tried(endpoint, *((10 - number, answer) for number, answer in enumerate(answers)))
            assert health(endpoint).is_failing is is_failing
    assert set(failing(Endpoint.objects.all())) == set(endpoints[True])
    Endpoint.objects.update(status="disabled", disabled_reason="manual", disabled_at=clock.now())
    assert not failing(Endpoint.objects.all()).exists()


def test_failing_is_said_with_its_time_count_and_answer() -> None:
    now = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
    since = now.replace(hour=5, minute=25)
    said = {
        "Failing since 05:25 UTC: 65 attempts, all 500": Health(failing_since=since, outcomes={"500": 65}),
        "Failing since 05:25 UTC: 1 attempt: no response in time": Health(
            failing_since=since, outcomes={"timeout": 1}
        ),
        "Failing since 05:25 UTC: 75 attempts: the name does not resolve": Health(
            failing_since=since, outcomes={"name_not_resolved": 75}
        ),
        "Failing since 05:25 UTC: 9 attempts: 7 × 503, 2 × connection refused": Health(
            failing_since=since, outcomes={"connection_refused": 2, "503": 7}
        ),
        "Failing since 05:25 UTC: 4 attempts: 2 × 404, 2 × 503": Health(
            failing_since=since, outcomes={"503": 2, "404": 2}
        ),
        "Failing since 05:25 UTC: 5 attempts: 4 × no response in time, 1 × 503": Health(
            failing_since=since, outcomes={"503": 1, "timeout": 4}
        ),
        "Failing since 21 Nov, 05:25 UTC: 1,200 attempts, all 404": Health(
            failing_since=since - timedelta(days=2), outcomes={"404": 1_200}
        ),
        "Failing since before 05:25 UTC: more than 1,000 attempts, all 500": Health(
            read=NEWEST, failing_since=since, outcomes={"500": NEWEST}
        ),
        "Failing since 05:25 UTC: 6 attempts, all 500": Health(
            read=NEWEST, ever_accepted=True, failing_since=since, outcomes={"500": 6}
        ),
        "Failing since 05:25 UTC: 7 attempts, all 500": Health(
            read=7, failing_since=since, outcomes={"500": 7}
        ),
        "": Health(ever_accepted=True, failing_since=since, outcomes={"500": 2}),
    }
    assert {each.failing_words(now): each for each in said.values()} == said


def test_the_share_is_of_all_tries_of_a_day_and_the_time_of_those_that_were_answered(own: Endpoint) -> None:
    tried(
        own,
        *((n, {**ACCEPTED, "duration_ms": n}) for n in range(1, 101)),
        *((9, SILENT | {"duration_ms": 10_000}),) * 50,
    )
    tried(own, (60 * 25, REFUSED | {"duration_ms": 9_000}))
    found = health(own)
    assert (found.tries, found.accepted, found.share, found.p95_ms) == (150, 100, 66, 95)


def test_what_failed_on_our_side_says_nothing_about_the_receiver(own: Endpoint) -> None:
    tried(
        own,
        (9, ACCEPTED),
        *((n, {"error_code": code}) for n, code in enumerate(["lost", "internal"] * 3, start=1)),
    )
    assert (health(own).tries, health(own).failures) == (1, 0)


def test_each_has_its_own_and_all_are_read_in_one_statement(own: Endpoint, django_assert_num_queries) -> None:
    sibling, foreign = EndpointFactory(account=own.account), EndpointFactory()
    tried(own, (1, REFUSED))
    tried(sibling, (1, ACCEPTED))
    tried(foreign, (1, REFUSED))
    with django_assert_num_queries(1):
        found = endpoints_with_health(endpoints_of(own.account_id, "test"), clock.now())
    assert [(endpoint, of_it.is_failing) for endpoint, of_it in found] == [(sibling, False), (own, True)]
