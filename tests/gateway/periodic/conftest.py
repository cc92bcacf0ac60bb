"""Runs of periodic tasks as a worker makes them, with the signals that Celery sends."""

from collections.abc import Callable

import pytest
from celery import Task

from config.celery import app

Run = Callable[..., None]

app.loader.import_default_modules()  # as a worker does as it starts


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run(task)` makes a run that does nothing and returns `returns`; with `fails` the run raises it."""

    def run(task: str, *, fails: Exception | None = None, returns: object = None) -> None:
        def body(*args: object) -> object:
            if fails is not None:
                raise fails
            return returns

        instance: Task = app.tasks[task]
        with monkeypatch.context() as patched:
            patched.setattr(instance, "run", body)
            instance.apply()

    return run
