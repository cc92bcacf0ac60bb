from collections.abc import Iterator

import pytest

from apps.suppliers import http
from tests.support.wire import Wire, wire


@pytest.fixture
def server() -> Iterator[Wire]:
    """A server without script yet: `server.acts.append(…)`."""
    with wire() as started:
        yield started


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BACKOFF_SECONDS", (0.0, 0.0))
