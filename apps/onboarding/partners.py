"""Opening a partner in one step: account, wallets with money in them, a portal owner, and keys."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction

from apps.accounts.live_approval import approve_live
from apps.accounts.members import add_member
from apps.accounts.models import Account, AccountStatus, Role
from apps.accounts.terms import create_account, set_limits, set_status
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest
from apps.keys.models import ApiKey
from apps.keys.services import issue_key
from apps.ledger.models import MOST_CENTS
from apps.ledger.money import open_test_wallet, open_wallet, top_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How the partner begins. `balance_cents` goes to the test wallet, with `live` to the live one too. Without it the test
    wallet opens with what every test wallet opens with, and the live one empty.
    """

    name: str
    currency: str
    balance_cents: int | None = None
    live: bool = False
    scopes: Sequence[str] | None = None
    """Those that a key usually has where there are none."""
    allowed_ips: Sequence[str] = ()
    status: str = AccountStatus.ACTIVE
    rates: Mapping[str, int] = field(default_factory=dict)
    """Requests a minute by class (SEARCH, BOOKING, READ) where they are not the deployment's."""
    search_quota: int | None = None
    portal_email: str | None = None
    """Derived from the account's id if it has no address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Onboarded:
    """The new partner, with the secrets that can be shown only now. The live key is None without `live`."""

    account: Account
    test_key: ApiKey
    test_secret: str
    live_key: ApiKey | None
    live_secret: str | None
    portal_email: str
    portal_password: str

    def as_json(self) -> dict[str, str | None]:
        """The object of contract §5."""
        return {
            "accountId": self.account.id,
            "testKey": self.test_secret,
            "testKeyId": self.test_key.id,
            "liveKey": self.live_secret,
            "liveKeyId": self.live_key.id if self.live_key else None,
            "portalEmail": self.portal_email,
            "portalPassword": self.portal_password,
        }


@transaction.atomic
def onboard_partner(terms: Terms) -> Onboarded:
    """All of it or nothing. Raises InvalidRequest that says which of `terms` cannot be met."""
    if terms.balance_cents is not None and not 0 <= terms.balance_cents <= MOST_CENTS:
        raise InvalidRequest.field("balanceCents", f"A balance is between 0 and {MOST_CENTS}.")
    account = _open_account(terms)
    email = terms.portal_email or f"{account.id}@portal.example"
    password = secrets.token_urlsafe(16)
    add_member(account=account, email=email, role=Role.OWNER, password=password)
    open_test_wallet(account_id=account.id, currency=account.currency, amount_cents=terms.balance_cents)
    test_key, test_secret = _issue(account, Environment.TEST, terms)
    live_key, live_secret = None, None
    if terms.live:
        _fund_live(account, terms.balance_cents or 0)
        live_key, live_secret = _issue(account, Environment.LIVE, terms)
    return Onboarded(
        account=account,
        test_key=test_key,
        test_secret=test_secret,
        live_key=live_key,
        live_secret=live_secret,
        portal_email=email,
        portal_password=password,
    )


def _open_account(terms: Terms) -> Account:
    """The account as it will stay: keys issued after the last change of it are cached from their first call."""
    unknown = sorted(set(terms.rates) - set(settings.RATE_LIMITS))
    if unknown:
        raise InvalidRequest.field("rate", f"{unknown[0]!r} is not one of {', '.join(settings.RATE_LIMITS)}.")
    account = create_account(name=terms.name, currency=terms.currency)
    set_limits(
        account=account,
        rate_search=terms.rates.get("SEARCH"),
        rate_booking=terms.rates.get("BOOKING"),
        rate_read=terms.rates.get("READ"),
        search_quota=terms.search_quota,
    )
    if terms.live:
        approve_live(account=account, approved_by=None)
    set_status(account=account, status=terms.status)
    return account


def _fund_live(account: Account, balance_cents: int) -> None:
    open_wallet(account_id=account.id, environment=Environment.LIVE, currency=account.currency)
    if balance_cents:
        top_up(
            account_id=account.id,
            environment=Environment.LIVE,
            amount_cents=balance_cents,
            currency=account.currency,
            reference=f"opening:{account.id}:{Environment.LIVE}",
        )


def _issue(account: Account, environment: str, terms: Terms) -> tuple[ApiKey, str]:
    return issue_key(
        account=account,
        environment=environment,
        name=f"First {environment} key",
        scopes=terms.scopes,
        allowed_ips=terms.allowed_ips,
    )
