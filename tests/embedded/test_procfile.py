"""The worker lines of the Procfile: between them they serve every queue that a task is sent to, and none twice."""

import re
from pathlib import Path

from django.conf import settings
from honcho.environ import parse_procfile

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def test_every_queue_is_served_by_one_line():
    processes = parse_procfile((BASE_DIR / "Procfile").read_text()).processes
    workers = [command for command in processes.values() if " worker " in command]
    served = [
        queue
        for command in workers
        for queue in (re.findall(r"--queues (\S+)", command) or ["celery"])[0].split(",")
    ]
    assert sorted(served) == sorted(
        {"celery", *(one["queue"] for one in settings.CELERY_TASK_ROUTES.values())}
    )


def test_workers_of_one_machine_have_names_of_their_own():
    processes = parse_procfile((BASE_DIR / "Procfile").read_text()).processes
    names = [
        (re.findall(r"--hostname (\S+)", command) or ["celery@%h"])[0]
        for command in processes.values()
        if " worker " in command
    ]
    assert len(names) == len(set(names)) == 2
