"""A web process finds connections and settings where Django does, and no later change of a setting is missed."""

import threading
from collections.abc import Iterator

import pytest
from django.conf import LazySettings, settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.test import override_settings

from config.web import plain_look_ups


@pytest.fixture
def taken_over() -> Iterator[object]:
    """As in a web process; afterwards as it was. The connection of this thread before."""
    mine, storage = connections[DEFAULT_DB_ALIAS], connections._connections  # type: ignore[attr-defined]
    look_up = vars(LazySettings).get("__getattribute__")
    plain_look_ups.take_over()
    yield mine
    connections._connections = storage  # type: ignore[attr-defined]
    if look_up is None:
        del LazySettings.__getattribute__


def test_each_thread_keeps_a_connection_of_its_own(taken_over: object) -> None:
    found: list[object] = []

    def look() -> None:
        found.extend(connections[DEFAULT_DB_ALIAS] for _ in range(2))

    another = threading.Thread(target=look)
    another.start()
    another.join()

    assert connections[DEFAULT_DB_ALIAS] is taken_over
    assert found[0] is found[1]
    assert found[0] is not taken_over
    assert isinstance(connections._connections, threading.local)  # type: ignore[attr-defined]


def test_a_setting_is_what_it_is_now(taken_over: object) -> None:
    usual = settings.RATE_LIMITS

    with override_settings(RATE_LIMITS={"READ": 1}):
        assert settings.RATE_LIMITS == {"READ": 1}
    assert usual == settings.RATE_LIMITS
    with pytest.raises(AttributeError):
        _ = settings.NO_SUCH_SETTING
    assert "RATE_LIMITS" in dir(settings)
    assert vars(LazySettings)["__getattribute__"] is object.__getattribute__
