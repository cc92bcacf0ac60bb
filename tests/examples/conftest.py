"""The journey played once more, once a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from pytest_django.fixtures import Settings

from apps.esim import qr
from tests.examples import files
from tests.examples.journey import play
from tests.examples.stage import Stage, on_stage
from tests.support.private_redis import PrivateRedis


@pytest.fixture(scope="session")
def _played() -> list[Stage]:
    return []


@pytest.fixture
def played_again(
    db: None, tmp_path: Path, settings: Settings, pytestconfig: pytest.Config, _played: list[Stage]
) -> Stage:
    """What the service does now. With --record-examples it becomes what is recorded."""
    if not _played:
        with deployed(tmp_path, settings), on_stage() as stage:
            play(stage)
        if pytestconfig.getoption("--record-examples"):
            files.write(stage.calls, stage.events)
        _played.append(stage)
    return _played[0]


@contextmanager
def deployed(directory: Path, settings: Settings) -> Iterator[None]:
    """A deployment like every other: nothing is counted yet for the partner, whose ids are always the same."""
    server = PrivateRedis(directory)
    settings.REDIS_URL = server.url
    settings.PUBLIC_BASE_URL = "https://api.example.com"
    settings.SECRET_KEY = "the key of the examples"
    try:
        with patch.object(qr._signer, "key", settings.SECRET_KEY):
            yield
    finally:
        server.kill()
