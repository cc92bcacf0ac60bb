"""One message wakes a dispatcher; without Redis or broker nothing is raised."""

import pytest
from pytest_django import Settings
from redis.connection import AbstractConnection

from apps.common import redis
from apps.webhooks import wakeups
from tests.webhooks.conftest import use_broker


def messages() -> int:
    return int(redis.run(lambda client: client.llen("webhooks")))  # type: ignore[arg-type]


def test_one_message_waits_however_often_it_rings() -> None:
    for _ in range(5):
        wakeups.notify()
    assert messages() == 1


def test_ringing_works_again_once_a_dispatcher_let_go() -> None:
    wakeups.notify()
    wakeups.allow()
    wakeups.notify()
    assert messages() == 2


def test_running_dispatcher_needs_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeups, "RUNNING_MS", 60_000)  # a busy machine may take longer than a second to look
    wakeups.suppress()
    wakeups.notify()
    assert messages() == 0
    assert 0 < int(redis.run(lambda client: client.pttl(wakeups.KEY))) <= wakeups.RUNNING_MS  # type: ignore[arg-type]


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "unix:///nowhere/redis.sock"])
def test_without_redis_nothing_is_raised_and_it_is_not_asked_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    settings.REDIS_URL = url
    tries: list[object] = []
    connect = AbstractConnection.connect

    def counted(connection: AbstractConnection) -> None:
        tries.append(connection)
        connect(connection)

    monkeypatch.setattr(AbstractConnection, "connect", counted)
    wakeups.notify()
    wakeups.suppress()
    wakeups.allow()
    assert len(tries) <= 2


def test_without_broker_nothing_is_raised(caplog: pytest.LogCaptureFixture) -> None:
    use_broker("redis://127.0.0.1:1/0")
    wakeups.notify()
    wakeups.start(wakeups.TAKE_EXAMS)
    assert "No wake-up for webhooks" in caplog.text
    assert "The task webhooks.take_exams was not started" in caplog.text
