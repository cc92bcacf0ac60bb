"""What the ledger does when an account is added."""

from typing import Any

from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_added
from apps.common.environments import Environment
from apps.ledger.services.open_wallet import open_wallet


@receiver(account_added)
def open_wallets_of_account(*, account: Account, **_: Any) -> None:
    """An empty wallet in each environment."""
    for environment in Environment.values:
        open_wallet(account_id=account.pk, environment=environment, currency=account.currency)
