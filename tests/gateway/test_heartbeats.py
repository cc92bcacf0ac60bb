"""Signs of life, and for how long they are believed."""

import pytest

from apps.common import clock, redis
from apps.gateway.heartbeats import leave, leave_of_worker, part


@pytest.fixture
def clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)


@pytest.fixture(autouse=True)
def nobody_lives() -> None:
    redis.run(lambda client: client.delete("heartbeat:worker"))


@pytest.mark.django_db
def test_whoever_left_none_is_away() -> None:
    assert part("worker")() == {"status": "unavailable", "secondsAgo": None}
    leave_of_worker("worker")
    assert part("worker")()["status"] == "ok"
    assert part("beat-of-nobody")()["status"] == "unavailable"


@pytest.mark.django_db
@pytest.mark.parametrize(("age", "status"), [(0.0, "ok"), (29.5, "ok"), (30.0, "unavailable")])
def test_a_sign_is_believed_for_half_a_minute(clock_stands_still: None, age: float, status: str) -> None:
    then = clock.now().timestamp() - age
    redis.run(lambda client: client.set("heartbeat:worker", then))
    assert part("worker")() == {"status": status, "secondsAgo": pytest.approx(age, abs=0.1)}


@pytest.mark.django_db
def test_a_sign_of_a_clock_ahead_of_ours_is_of_now() -> None:
    ahead = clock.now().timestamp() + 5
    redis.run(lambda client: client.set("heartbeat:worker", ahead))
    assert part("worker")() == {"status": "ok", "secondsAgo": 0.0}


@pytest.mark.django_db
def test_a_sign_goes_after_an_hour_by_itself() -> None:
    leave("worker")
    left = redis.run(lambda client: client.pttl("heartbeat:worker"))
    assert 3_599_000 < left <= 3_600_000
