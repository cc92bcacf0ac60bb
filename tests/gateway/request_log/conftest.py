from collections.abc import Callable

import pytest

from apps.gateway.request_log import writer
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.writer import Writer
from apps.keys.models import ApiKey
from tests.factories.keys import issued_key


@pytest.fixture(autouse=True)
def own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A buffer with nothing of any other test in it."""
    buffer = Buffer()
    monkeypatch.setattr(writer, "buffer", buffer)
    monkeypatch.setattr(writer, "writer", Writer(buffer))


@pytest.fixture
def logged() -> Callable[[], list[LoggedCall]]:
    """All calls that were made so far, written down, the oldest first."""

    def write_down() -> list[LoggedCall]:
        assert writer.writer.flush()
        return list(LoggedCall.objects.order_by("id"))

    return write_down


@pytest.fixture
def key(db: None) -> ApiKey:
    return issued_key()[0]
