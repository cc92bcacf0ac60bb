"""GET and POST /sandbox/clock."""

from datetime import datetime, timedelta

import pytest

from apps.accounts.models import Sandbox
from apps.common import clock
from apps.gateway import faults
from apps.gateway.requests import PartnerRequest
from apps.gateway.viewsets import finish
from tests.factories.keys import issued_key
from tests.support.api import Api, Reply

pytestmark = pytest.mark.django_db

DAY = 86_400


@pytest.fixture
def account():
    from tests.factories.accounts import AccountFactory

    return AccountFactory(live_approved_until=clock.now() + timedelta(days=9))


@pytest.fixture
def api(account):
    return Api(issued_key(account)[1])


def test_a_clock_that_was_never_moved_tells_the_real_time(api):
    answer = api.get("/sandbox/clock")

    assert (answer.status, answer.body["offsetSeconds"]) == (200, 0)
    assert abs(datetime.fromisoformat(answer.body["now"]) - clock.now()) < timedelta(minutes=1)
    assert answer.headers["X-Environment"] == "test"
    assert {"X-Request-Id", "X-RateLimit-Limit", "X-Search-Quota-Limit"} <= set(answer.headers)
    assert not Sandbox.objects.exists()


def test_the_clock_moves_by_seconds_and_the_next_call_has_the_new_time(api):
    first = api.post("/sandbox/clock", {"advanceSeconds": 3 * DAY})
    second = api.post("/sandbox/clock", {"advanceSeconds": 60})

    assert (first.status, first.body["offsetSeconds"]) == (200, 3 * DAY)
    assert second.body["offsetSeconds"] == 3 * DAY + 60
    assert api.get("/sandbox/clock").body["offsetSeconds"] == 3 * DAY + 60


def test_the_clock_moves_to_an_instant(api):
    until = clock.now() + timedelta(days=2)
    answer = api.post("/sandbox/clock", {"advanceTo": clock.rfc3339(until)})

    assert timedelta(0) <= datetime.fromisoformat(answer.body["now"]) - until < timedelta(seconds=30)
    assert answer.body["offsetSeconds"] in {2 * DAY - 1, 2 * DAY}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "advanceSeconds"),
        ({"advanceSeconds": 1, "advanceTo": "2027-01-01T00:00:00Z"}, "advanceTo"),
        ({"advanceSeconds": -1}, "advanceSeconds"),
        ({"advanceSeconds": 1.5}, "advanceSeconds"),
        ({"advanceSeconds": 400 * DAY + 1}, "advanceSeconds"),
        ({"advanceSeconds": None}, "advanceSeconds"),
        ({"advanceTo": "2020-01-01T00:00:00Z"}, "advanceTo"),
        ({"advanceTo": "9999-12-31T23:59:59-14:00"}, "advanceTo"),
        ({"advanceTo": "tomorrow"}, "advanceTo"),
        ({"advanceTo": "2027-01-01T00:00:00"}, "advanceTo"),
        ({"backwards": 1}, "advanceSeconds"),
    ],
)
def test_what_is_no_move_forward_is_refused_by_its_field(api, body, field):
    refused = api.post("/sandbox/clock", body)

    assert (refused.status, refused.error_type) == (400, "invalid_request")
    assert refused.error["details"][0]["field"] == field
    assert not Sandbox.objects.exists()


def test_four_hundred_days_are_the_most_in_all(api):
    assert api.post("/sandbox/clock", {"advanceSeconds": 400 * DAY - 1}).status == 200

    refused = api.post("/sandbox/clock", {"advanceSeconds": 2})

    assert (refused.status, refused.error["details"][0]["field"]) == (400, "advanceSeconds")
    assert api.get("/sandbox/clock").body["offsetSeconds"] == 400 * DAY - 1


def test_a_repeated_call_moves_the_clock_once_however_far_it_moved(api):
    first = api.post("/sandbox/clock", {"advanceSeconds": 2 * DAY}, key="the-same-key")
    again = api.post("/sandbox/clock", {"advanceSeconds": 2 * DAY}, key="the-same-key")

    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
    assert api.get("/sandbox/clock").body["offsetSeconds"] == 2 * DAY


def test_a_call_that_dies_before_its_answer_has_moved_the_clock_once(api, monkeypatch, move_clock):
    def dies(*_given: object, **_named: object) -> None:
        monkeypatch.setattr("apps.gateway.viewsets.finish", finish)
        raise SystemExit

    monkeypatch.setattr("apps.gateway.viewsets.finish", dies)
    with pytest.raises(SystemExit):
        api.post("/sandbox/clock", {"advanceSeconds": DAY}, key="the-same-key")
    move_clock(seconds=46)
    again = api.post("/sandbox/clock", {"advanceSeconds": DAY}, key="the-same-key")

    assert (again.status, again.body["offsetSeconds"]) == (200, DAY)
    assert api.get("/sandbox/clock").body["offsetSeconds"] == DAY


def test_a_call_that_stood_still_beyond_its_claim_moves_nothing(api, monkeypatch, move_clock):
    replies: list[Reply] = []
    plan = faults.plan

    def paused(request: PartnerRequest) -> None:
        monkeypatch.setattr(faults, "plan", plan)
        move_clock(seconds=46)
        replies.append(api.post("/sandbox/clock", {"advanceSeconds": DAY}, key="the-same-key"))
        plan(request)

    monkeypatch.setattr(faults, "plan", paused)
    late = api.post("/sandbox/clock", {"advanceSeconds": DAY}, key="the-same-key")
    again = api.post("/sandbox/clock", {"advanceSeconds": DAY}, key="the-same-key")

    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert (again.headers["Idempotent-Replayed"], again.content) == ("true", replies[0].content)
    assert api.get("/sandbox/clock").body["offsetSeconds"] == DAY


def test_after_a_call_the_thread_works_for_nobody(api):
    api.post("/sandbox/clock", {"advanceSeconds": DAY})
    api.get("/v1/account")

    assert clock.here() is None
