"""A new hint starts the task that follows it, and nothing that goes wrong with that is the supplier's trouble."""

from typing import Any

import pytest

from apps.bookings import tasks
from apps.bookings.receivers import wake, wake_on_hints
from apps.suppliers.webhooks import hint_stored


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
    monkeypatch.setattr("apps.bookings.receivers.wake", lambda **kwargs: wake(**kwargs))
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
