"""What beat's messages do. That of every second: the keys first, and the request log whatever becomes of them."""

from collections.abc import Callable

import pytest
from django.db import OperationalError

from apps.gateway import tasks


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    done: list[str] = []
    monkeypatch.setattr(tasks, "rebypass_recent_changes", lambda: done.append("keys"))
    monkeypatch.setattr(tasks, "drain", lambda: done.append("log"))
    return done


def test_keys_come_before_the_request_log(done: list[str]) -> None:
    tasks.every_second()

    assert done == ["keys", "log"]


def test_the_log_is_written_where_the_keys_could_not_be_looked_at(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("away")

    monkeypatch.setattr(tasks, "rebypass_recent_changes", fail)

    with pytest.raises(OperationalError):
        tasks.every_second()
    assert done == ["log"]


@pytest.mark.parametrize(
    ("task", "part", "done"),
    [
        (tasks.heartbeat, "leave_of_worker", ("worker",)),
        (tasks.supplier_heartbeat, "leave_of_worker", ("supplierWorker",)),
        (tasks.prune_request_log, "prune", ()),
        (tasks.give_back_search_units, "search_quota.give_back_lapsed", ()),
    ],
)
def test_every_other_message_has_one_thing_done(
    monkeypatch: pytest.MonkeyPatch, task: Callable[[], None], part: str, done: tuple[str, ...]
) -> None:
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(f"apps.gateway.tasks.{part}", lambda *given: calls.append(given))
    task()

    assert calls == [done]
