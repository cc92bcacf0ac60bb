"""What /metrics tells of bookings."""

from datetime import timedelta

import pytest

from apps.bookings.health import TEXTS, readings, register
from apps.bookings.models import Operation, Settlement
from apps.common import clock, metrics
from apps.common.metrics import AGES, Readings, known_readings
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation

pytestmark = pytest.mark.usefixtures("still_clock")

HOUR = timedelta(hours=1)


def told() -> dict[tuple[str, ...], float]:
    """Each figure by its name and its labels, without those that are zero."""
    found = list(readings())
    assert len({(reading.name, *reading.labels.values()) for reading in found}) == len(found)
    return {(one.name, *one.labels.values()): round(one.value) for one in found if round(one.value)}


def test_operations_without_an_end_are_counted_by_state_and_by_age(onboarded: Onboarded) -> None:
    ages = {
        "calling": (0, 0, 2),
        "uncertain": (30,),
        "review": (24 * 60 * 2,),
        "confirmed": (0,),
        "held": (0,),
    }
    for state, minutes in ages.items():
        for ago in minutes:
            operation = an_operation(a_booking(onboarded.test_key), state=state, next_attempt_at=None)
            Operation.objects.filter(pk=operation.pk).update(created_at=clock.now() - timedelta(minutes=ago))
    assert told() == {
        ("operations_unresolved", "calling", "under a minute"): 2,
        ("operations_unresolved", "calling", "under an hour"): 1,
        ("operations_unresolved", "uncertain", "under an hour"): 1,
        ("operations_unresolved", "review", "older"): 1,
    }


@pytest.mark.django_db
def test_where_nothing_is_open_each_state_and_age_is_told_as_zero() -> None:
    counts = [reading for reading in readings() if reading.name == "operations_unresolved"]
    assert {(one.labels["state"], one.labels["age"]) for one in counts} == {
        (state, age) for state in ("calling", "uncertain", "review") for age in AGES
    }
    assert told() == {}


def test_what_is_late_or_fails_is_told(onboarded: Onboarded) -> None:
    now = clock.now()
    live = a_booking(onboarded.test_key, environment="live", next_news_at=now - HOUR)
    for failures, waited in ((0, 2), (1, 3), (2, 1)):
        Settlement.objects.create(
            operation=an_operation(live, state="confirmed", next_attempt_at=None),
            booking=live,
            action="credit",
            amount_cents=1,
            failures=failures,
            next_attempt_at=now - waited * HOUR,
        )
    assert told() == {
        ("settlements_late_seconds",): 3 * 3600,
        ("settlements_failing",): 1,
        ("polls_late_seconds",): 3600,
    }


def test_they_are_told_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_known", [])
    register()
    assert known_readings() == (Readings(TEXTS, readings),)
