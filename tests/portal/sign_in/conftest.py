import pytest

from apps.accounts.models import Role
from tests.portal.person import Person, member_of


@pytest.fixture
def member(account) -> Person:
    return member_of(account, Role.OWNER)
