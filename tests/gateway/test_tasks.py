"""What beat's messages do."""

from collections.abc import Callable

import pytest

from apps.gateway import tasks


@pytest.mark.parametrize(
    ("task", "part", "done"),
    [
        (tasks.every_second, "rebypass_recent_changes", ()),
        (tasks.give_back_search_units, "search_quota.give_back_lapsed", ()),
    ],
)
def test_every_message_has_one_thing_done(
    monkeypatch: pytest.MonkeyPatch, task: Callable[[], None], part: str, done: tuple[str, ...]
) -> None:
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(f"apps.gateway.tasks.{part}", lambda *given: calls.append(given))
    task()

    assert calls == [done]
