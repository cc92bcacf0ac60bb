"""What the ledger does when an account is added, and when it is approved for live keys."""

from typing import Any

from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_added, live_approved
from apps.common.environments import Environment
from apps.ledger.services.open_wallet import open_test_wallet, open_wallet


@receiver(account_added)
def open_wallet_of_new_account(*, account: Account, **_: Any) -> None:
    """A test wallet that can book at once."""
    open_test_wallet(account_id=account.pk, currency=account.currency)


@receiver(live_approved)
def open_live_wallet(*, account: Account, **_: Any) -> None:
    """An empty one. It stays when the approval lapses, and the next approval finds it."""
    open_wallet(account_id=account.pk, environment=Environment.LIVE, currency=account.currency)
