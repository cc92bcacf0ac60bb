"""A partner as `onboard_partner` leaves one, in a seventh of its statements: most tests begin with one.

Only the trails differ: they tell nothing of how it came to be. Journeys and the tests of onboarding use the service.
"""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import transaction

from apps.accounts.models import LIVE_APPROVAL_PERIOD, Account, Membership, Role, User
from apps.common import clock
from apps.common.environments import Environment
from apps.keys.models import ApiKey
from apps.ledger.models import Wallet
from apps.ledger.money import Trace, top_up
from apps.onboarding.partners import Onboarded, Terms
from tests.factories.keys import store, unsaved_key


@transaction.atomic
def new_partner(terms: Terms) -> Onboarded:
    """The partner and its secrets, on `terms` that the service would take."""
    now = clock.now()
    account = Account.objects.create(
        name=terms.name,
        currency=terms.currency,
        status=terms.status,
        search_quota=terms.search_quota,
        live_approved_until=now + LIVE_APPROVAL_PERIOD if terms.live else None,
        **{f"rate_{rate_class.lower()}": rate for rate_class, rate in terms.rates.items()},
    )
    environments = [Environment.TEST, Environment.LIVE] if terms.live else [Environment.TEST]
    _fund(account, environments, terms.balance_cents or 0)
    issued = _issue(account, environments, terms)
    email, password = _owner(account, terms)
    return Onboarded(
        account=account,
        test_key=issued["test"][0],
        test_secret=issued["test"][1],
        live_key=issued["live"][0] if terms.live else None,
        live_secret=issued["live"][1] if terms.live else None,
        portal_email=email,
        portal_password=password,
    )


def _fund(account: Account, environments: list[Environment], cents: int) -> None:
    Wallet.objects.bulk_create(
        Wallet(account=account, environment=environment, currency=account.currency, moved_at=clock.now())
        for environment in environments
    )
    for environment in environments if cents else []:
        top_up(
            account_id=account.id,
            environment=environment,
            amount_cents=cents,
            currency=account.currency,
            reference=f"opening:{account.id}:{environment}",
            trace=Trace(description="Opening balance" if environment == Environment.TEST else ""),
        )


def _issue(account: Account, environments: list[Environment], terms: Terms) -> dict[str, tuple[ApiKey, str]]:
    """A key of each environment, with its secret."""
    keys = [
        unsaved_key(
            account,
            environment,
            name=f"First {environment} key",
            scopes=terms.scopes,
            allowed_ips=terms.allowed_ips,
        )
        for environment in environments
    ]
    return {str(key.environment): (key, secret) for key, secret in store(keys)}


def _owner(account: Account, terms: Terms) -> tuple[str, str]:
    email = terms.portal_email or f"{account.id}@portal.example"
    password = secrets.token_urlsafe(16)
    user = User.objects.create(email=email, password=make_password(password))
    Membership.objects.create(account=account, user=user, role=Role.OWNER)
    return email, password
