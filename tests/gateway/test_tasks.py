"""What beat's message of every second does: the keys first, and the request log whatever becomes of them."""

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
