import pytest
from django.test import Client

from apps.common import clock
from tests.factories.webhooks import DeliveryFactory

pytestmark = pytest.mark.django_db


def part() -> dict[str, object]:
    found: dict[str, object] = Client().get("/health/full").json()["parts"]["deliveries"]
    found.pop("milliseconds")
    return found


def test_nothing_due_is_no_lag():
    assert part() == {"status": "ok", "dueLagSeconds": 0.0}


@pytest.mark.parametrize(("seconds", "status"), [(30, "ok"), (90, "degraded")])
def test_the_most_overdue_delivery_is_the_lag(move_clock, seconds: int, status: str):
    DeliveryFactory(next_attempt_at=clock.now())
    DeliveryFactory(next_attempt_at=clock.now())
    move_clock(seconds=seconds)

    found = part()
    assert found["status"] == status
    assert found["dueLagSeconds"] == pytest.approx(seconds, abs=2)
