"""A new hint starts the task that follows it, and nothing that goes wrong with that is the supplier's trouble."""

from collections.abc import Callable
from typing import Any

import pytest
from celery import current_app
from pytest_django import Settings

from apps.bookings import tasks
from apps.bookings.wakeups import ASK_FOR_MORE_NEWS, SETTLE_MORE, call_helpers, wake, wake_on_hints
from apps.suppliers.webhooks.signals import hint_stored


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The options of every message that would go to the broker."""
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.follow_supplier_hints, "apply_async", lambda **options: sent.append(options))
    return sent


def test_a_hint_sends_one_message_that_waits_for_no_broker_and_leaves_no_result(
    messages: list[dict[str, Any]],
) -> None:
    hint_stored.send(sender=None)
    assert messages == [{"retry": False, "ignore_result": True}]


def test_connecting_twice_sends_no_second_message(
    messages: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hint_stored, "receivers", [])
    hint_stored.sender_receivers_cache.clear()
    wake_on_hints()
    monkeypatch.setattr("apps.bookings.wakeups.wake", lambda **kwargs: wake(**kwargs))
    wake_on_hints()
    hint_stored.send(sender=None)
    assert len(messages) == 1


def test_a_dead_broker_is_noted_and_no_more(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**options: object) -> None:
        raise ConnectionError("broker")

    monkeypatch.setattr(tasks.follow_supplier_hints, "apply_async", fail)
    wake()
    assert "No task for a supplier's hint (broker); the sweep will find it" in caplog.text


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
    call_helpers(ASK_FOR_MORE_NEWS, 3)
    assert caplog.messages == [f"Nobody was asked to help with {ASK_FOR_MORE_NEWS} (no broker)"]


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
    assert sent == [SETTLE_MORE] * 3 + [ASK_FOR_MORE_NEWS]
