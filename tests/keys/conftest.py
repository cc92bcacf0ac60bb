from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.keys import last_use
from tests.support.private_redis import PrivateRedis


@pytest.fixture
def uses_noted_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after the first call of a secret: its next ones write nothing for half a minute."""
    monkeypatch.setattr(last_use, "note", lambda *arguments: None)


@pytest.fixture
def private_redis(tmp_path: Path, settings) -> Iterator[PrivateRedis]:
    """A Redis of the test's own, with short waits."""
    server = PrivateRedis(tmp_path)
    settings.REDIS_URL = server.url
    settings.REDIS_TIMEOUT_SECONDS = 0.1
    settings.REDIS_BREAKER_SECONDS = 0.4
    settings.KEY_CATALOGUE_SILENCE_MS = 1000
    yield server
    server.kill()
