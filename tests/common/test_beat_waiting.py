"""What beat does while PostgreSQL does not answer (`apps/common/beat.py`)."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from celery import current_app
from django.db import OperationalError, connection

from apps.common import beat
from tests.support.stack import ROOT

Away = Callable[[int], list[float]]


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Away:
    """Let the database refuse so many questions; the pauses that are made meanwhile."""
    answering = connection.cursor

    def refuse(times: int) -> list[float]:
        refusals = iter(range(times))
        pauses: list[float] = []

        def cursor(*given: object, **named: object) -> object:
            if next(refusals, None) is not None:
                raise OperationalError("the database system is starting up\n")
            return answering(*given, **named)

        monkeypatch.setattr(connection, "cursor", cursor)
        monkeypatch.setattr(time, "sleep", pauses.append)
        return pauses

    return refuse


@pytest.mark.django_db(transaction=True)
def test_beat_waits_for_a_database_that_is_starting(away: Away, caplog: pytest.LogCaptureFixture) -> None:
    pauses = away(3)
    scheduler = beat.PatientScheduler(current_app)
    assert set(current_app.conf.beat_schedule) <= set(scheduler.schedule)
    assert pauses == [beat.AGAIN_SECONDS] * 3
    assert [message for name, _, message in caplog.record_tuples if name == beat.__name__] == [
        "PostgreSQL does not answer, waiting for it up to 30 s: the database system is starting up"
    ]


@pytest.mark.django_db(transaction=True)
def test_beat_does_not_wait_for_ever(away: Away, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beat, "WAIT_SECONDS", 0.0)
    away(1_000)
    with pytest.raises(OperationalError, match="starting up"):
        beat.PatientScheduler(current_app)


def test_beat_that_waits_is_stopped_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": f"postgres://postgres@:5432/none?host={tmp_path}"}
    command = [sys.executable, "-m", "celery", "-A", "config", "--quiet", "beat", "--loglevel", "WARNING"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process.stderr as said:
        try:
            waits = any("waiting for it up to 30 s" in line for line in said)
            process.send_signal(signal.SIGTERM)
            code = process.wait(60)
        finally:
            process.kill()
    assert (waits, code) == (True, -signal.SIGTERM)
