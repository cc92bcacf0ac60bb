from collections.abc import Callable

import pytest

from apps.keys.models import ApiKey
from apps.request_log import writer
from apps.request_log.models import LoggedCall
from tests.factories.keys import issued_key


@pytest.fixture(autouse=True)
def own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer without records of other tests."""
    monkeypatch.setattr(writer, "writer", writer.Writer())


@pytest.fixture
def logged() -> Callable[[], list[LoggedCall]]:
    """All calls so far, written, the oldest first."""

    def write() -> list[LoggedCall]:
        assert writer.writer.flush()
        return list(LoggedCall.objects.order_by("id"))

    return write


@pytest.fixture
def key(db: None) -> ApiKey:
    return issued_key()[0]
