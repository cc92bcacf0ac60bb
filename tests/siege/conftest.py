from collections.abc import Iterator

import pytest

from tests.siege.proxies.running import is_there
from tests.siege.stage import Stage, staged
from tests.support.tools import REQUIRED


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """The service as its Procfile starts it, with a Redis that is waited for: what else the machine does must spoil nothing."""
    if not is_there("nginx"):
        if REQUIRED:
            pytest.fail("There is no nginx")
        pytest.skip("waits for nginx, which .ci/run installs and REQUIRE_BROWSER=1 demands")
    with staged(REDIS_TIMEOUT_SECONDS="2") as running:
        yield running
