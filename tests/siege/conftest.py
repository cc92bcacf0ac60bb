from collections.abc import Iterator

import pytest

from tests.siege.stage import Stage, staged


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """The service as its Procfile starts it, with a Redis that is waited for: what else the machine does must spoil nothing."""
    with staged(REDIS_TIMEOUT_SECONDS="2") as running:
        yield running
