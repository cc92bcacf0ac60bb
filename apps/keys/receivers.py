"""What the keys do when the account under them changes."""

from typing import Any

from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_changed
from apps.keys.models import ApiKey
from apps.keys.services.bypass import bypass_keys


@receiver(account_changed)
def bypass_keys_of_account(*, account: Account, **_: Any) -> None:
    """Status, limits and markup are part of what the key cache holds of each key."""
    bypass_keys(ApiKey.objects.filter(account=account))
