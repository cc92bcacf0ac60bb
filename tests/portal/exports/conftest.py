import pytest


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were sent. There is no worker."""
    sent: list[str] = []
    monkeypatch.setattr("apps.portal.exports.ask.current_app.send_task", lambda name, **_: sent.append(name))
    return sent
