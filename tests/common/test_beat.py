"""What beat is told: its table keeps whole seconds, and none at all would keep it busy for ever."""

import pytest
from django.conf import settings

from config.background import every


@pytest.mark.parametrize(("seconds", "kept"), [(0, 1), (0.3, 1), (1, 1), (2.5, 3), (60.0, 60)])
def test_a_part_of_a_second_is_rounded_up(seconds: float, kept: int) -> None:
    assert every(seconds, "a.task")["schedule"] == kept


def test_every_task_waits_for_whole_seconds() -> None:
    waits = [entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert [wait for wait in waits if wait < 1 or wait % 1] == []
