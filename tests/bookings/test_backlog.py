"""Who finds a backlog asks others to join, and does without them where nobody can be asked."""

from collections.abc import Callable
from typing import Any

import pytest
from celery import current_app
from pytest_django import Settings

from apps.bookings import tasks
from apps.bookings.tasks import POLL_MORE, SETTLE_MORE, call_helpers


def test_helpers_are_asked_with_messages_that_nobody_need_take(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: sent.append((name, options)))
    call_helpers(SETTLE_MORE, 2)
    assert sent == [(SETTLE_MORE, {"expires": 45.0, "retry": False, "ignore_result": True})] * 2


def test_without_a_broker_a_backlog_is_worked_off_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(name: str, **options: object) -> None:
        raise OSError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    call_helpers(POLL_MORE, 3)
    assert caplog.messages == [f"Nobody was asked to help with {POLL_MORE} (no broker)"]


def test_beats_runs_ask_for_help_and_helpers_do_not(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.SETTLEMENT_HELPERS, settings.SUPPLIER_NEWS_HELPERS = 3, 1
    sent: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: sent.append(name))

    def busy(*, more_is_due: Callable[[], object] = lambda: None, **named: object) -> int:
        more_is_due()
        return 0

    monkeypatch.setattr(tasks, "settle_owed", busy)
    monkeypatch.setattr(tasks, "poll_suppliers", busy)
    tasks.settle_what_is_owed()
    tasks.poll_standing_bookings()
    tasks.settle_more()
    tasks.poll_more_bookings()
    assert sent == [SETTLE_MORE] * 3 + [POLL_MORE]
