"""Signed-in people of every role, with two-factor passed."""

from collections.abc import Callable

import pytest
from django.core.cache import cache

from apps.accounts.models import Account, Role
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of


@pytest.fixture(autouse=True)
def attempts_forgotten() -> None:
    """What other tests, and earlier runs, counted of sign-ins."""
    cache.clear()


@pytest.fixture
def account(db: None) -> Account:
    return AccountFactory(name="Aurora Travel")


@pytest.fixture
def portal(account: Account) -> Person:
    """The owner's browser: `portal.get("/portal/test/keys/")`."""
    return member_of(account, Role.OWNER)


@pytest.fixture
def portal_as(account: Account) -> Callable[[str], Person]:
    """`portal_as("viewer")`: the browser of another member of the same account."""
    return lambda role: member_of(account, role)
