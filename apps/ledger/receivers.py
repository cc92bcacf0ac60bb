"""What the ledger does when an account is added."""

from typing import Any

from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_added
from apps.common.environments import Environment
from apps.ledger.services.open_wallet import open_test_wallet, open_wallet


@receiver(account_added)
def open_wallets_of_account(*, account: Account, **_: Any) -> None:
    """A test wallet that can book at once, and an empty live one."""
    open_test_wallet(account_id=account.pk, currency=account.currency)
    open_wallet(account_id=account.pk, environment=Environment.LIVE, currency=account.currency)
