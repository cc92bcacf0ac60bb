import pytest

from apps.accounts.models import Role
from apps.portal.sign_in import rate_limits
from tests.portal.person import Person, member_of


@pytest.fixture(autouse=True)
def within_one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the minutes of the limits, because a test may begin just before the next one."""
    now = rate_limits.minute()
    monkeypatch.setattr(rate_limits, "minute", lambda: now)


@pytest.fixture
def member(account) -> Person:
    return member_of(account, Role.OWNER)
