import pytest

from apps.portal.exports import ask


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were sent. There is no worker."""
    sent: list[str] = []
    monkeypatch.setattr(ask.current_app, "send_task", lambda name, **_: sent.append(name))
    return sent
