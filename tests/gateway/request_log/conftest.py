from collections.abc import Callable, Iterator

import pytest

from apps.common import redis
from apps.gateway.request_log import stream, writer
from apps.gateway.request_log.buffer import Buffer
from apps.gateway.request_log.drain import drain
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.writer import Writer
from apps.keys.models import ApiKey
from tests.factories.keys import issued_key


@pytest.fixture(autouse=True)
def own_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A buffer and a stream with nothing of any other test in them, and as long as Redis takes on a busy machine."""
    monkeypatch.setattr(stream, "TIMEOUT_SECONDS", 30.0)
    stream._guarded.cache_clear()
    forget_stream()
    buffer = Buffer()
    monkeypatch.setattr(writer, "buffer", buffer)
    monkeypatch.setattr(writer, "writer", Writer(buffer))
    yield
    forget_stream()
    stream._guarded.cache_clear()


def forget_stream() -> None:
    redis.run(lambda client: client.delete(stream.STREAM, stream.SIZE))


@pytest.fixture
def logged() -> Callable[[], list[LoggedCall]]:
    """All calls that were made so far, written down, the oldest first."""

    def write_down() -> list[LoggedCall]:
        assert writer.writer.flush()
        drain()
        return list(LoggedCall.objects.order_by("id"))

    return write_down


@pytest.fixture
def key(db: None) -> ApiKey:
    return issued_key()[0]
