"""Reacts to changes of the account that a key belongs to."""

from typing import Any

from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_changed
from apps.keys.models import ApiKey
from apps.keys.services.bypass import bypass_keys


@receiver(account_changed)
def bypass_keys_of_account(*, account: Account, **_: Any) -> None:
    """Bypass the account's keys: the key cache has a copy of its status, limits and markup with each key."""
    bypass_keys(ApiKey.objects.filter(account=account))
