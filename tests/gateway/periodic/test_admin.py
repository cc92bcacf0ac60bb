import pytest

from apps.gateway.models import TaskRecord
from apps.gateway.periodic import known_tasks, periodic_tasks
from tests.gateway.periodic.conftest import Run
from tests.support.back_office import Desk, faults_of, told

pytestmark = pytest.mark.django_db
PAGE = "/admin/gateway/taskrecord/"
PRUNE = "webhooks.prune"


def test_staff_see_each_task_the_troubled_ones_first_and_clear_an_alert(run: Run) -> None:
    known_tasks()
    for _ in range(2):
        run(PRUNE, fails=RuntimeError("no room left"))
    desk = Desk()
    assert faults_of(desk, PAGE) == []
    rows = desk.get(PAGE).context["cl"].result_list
    assert (rows[0].task, len(rows)) == (PRUNE, len(periodic_tasks()))
    shown = desk.get(PAGE).content.decode()
    assert [
        name for name in ("webhooks: prune", "no room left", "failing", "1:00:00") if name not in shown
    ] == []
    assert told(desk.act(PAGE, "clear", rows[0])) == ["Cleared 1 tasks."]
    assert not TaskRecord.objects.get(pk=PRUNE).fails


def test_to_clear_needs_a_right_of_its_own(run: Run) -> None:
    for _ in range(2):
        run(PRUNE, fails=RuntimeError())
    desk = Desk("gateway.view_taskrecord")
    desk.act(PAGE, "clear", TaskRecord.objects.get(pk=PRUNE))
    assert TaskRecord.objects.get(pk=PRUNE).fails
