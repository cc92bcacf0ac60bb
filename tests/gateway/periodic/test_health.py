import pytest
from django.test import Client

from apps.common import clock
from apps.gateway.periodic import periodic_tasks
from tests.gateway.periodic.conftest import Run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock_stands_still")]
PRUNE = "webhooks.prune"


def test_the_full_probe_tells_last_success_last_failure_and_lateness(run: Run, move_clock) -> None:
    succeeded = clock.rfc3339(clock.now())
    run(PRUNE)
    move_clock(hours=1)
    failed = clock.rfc3339(clock.now())
    run(PRUNE, fails=RuntimeError("password=x"))
    move_clock(hours=1, minutes=10)
    answer = Client().get("/health/full")
    assert answer.json()["parts"]["tasks"]["tasks"]["webhooks: prune"] == {
        "status": "ok",
        "everySeconds": 3600,
        "lastSuccessAt": succeeded,
        "lastFailureAt": failed,
        "lateSeconds": 600,
    }
    assert "password" not in answer.content.decode()
    names = [periodic.name for periodic in periodic_tasks().values()]
    assert list(answer.json()["parts"]["tasks"]["tasks"]) == names
