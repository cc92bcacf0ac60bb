"""Fixtures: signed-in members of every role, with two-factor."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from apps.accounts.actors import actor_of
from apps.accounts.models import Account, Role
from apps.common import clock
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.portal.tasks import mail_reset_link
from apps.webhooks.models import Endpoint
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import Person, member_of
from tests.support.api import Api
from tests.support.flight_shop import FlightShop


@pytest.fixture(autouse=True)
def attempts_forgotten() -> None:
    """Clear what other tests and earlier runs have counted."""
    cache.clear()


@pytest.fixture(autouse=True)
def ordered_links(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The calls of `mail_reset_link`. There is no worker, and no task goes to the broker."""
    ordered: list[list[str]] = []
    monkeypatch.setattr(mail_reset_link, "apply_async", lambda args, **named: ordered.append(args))
    return ordered


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that compares seconds, or counts in one hour. Asked for before `move_clock`, which then moves it alone."""
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)


@pytest.fixture
def account(db: None) -> Account:
    return AccountFactory(name="Aurora Travel")


@pytest.fixture
def portal(account: Account) -> Person:
    """The owner's browser: `portal.get("/portal/test/keys/")`."""
    return member_of(account, Role.OWNER)


@pytest.fixture
def member(account: Account) -> Person:
    return member_of(account, Role.OWNER)


@pytest.fixture
def portal_as(account: Account) -> Callable[[str], Person]:
    """`portal_as("viewer")`: the browser of another member of the same account."""
    return lambda role: member_of(account, role)


@pytest.fixture
def api(account: Account) -> Api:
    return api_of_new_partner(account=account, name="Web shop", cents=50_000_000)


@pytest.fixture
def endpoint(account: Account) -> Endpoint:
    found: Endpoint = EndpointFactory(account=account)
    return found


@pytest.fixture
def limited(portal: Person, account: Account) -> Api:
    """Calls with a key that the owner issued, and that asks for approval above 10.00 EUR."""
    WalletFactory(account=account, cents=50_000_000)
    key, secret = issued_key(account, name="Junior desk", actor=actor_of(portal.user))
    set_spend_limits(key=key, limits=Limits(approval_above_cents=1_000))
    return Api(secret)


@pytest.fixture
def order(limited: Api) -> dict[str, Any]:
    """A flight that waits."""
    order = FlightShop(limited).ordered()
    assert order["status"] == "awaiting_approval"
    return order
