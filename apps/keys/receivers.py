"""Reacts to changes of the account that a key belongs to."""

from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from apps.accounts.models import Account
from apps.accounts.signals import account_changed, sandbox_changed
from apps.common.environments import Environment
from apps.keys.models import ApiKey
from apps.keys.services.bypass import bypass_keys


@receiver(account_changed)
def bypass_keys_of_account(*, account: Account, **_: Any) -> None:
    """Bypass the account's keys, also those of its test environments: the key cache has a copy of its terms with each key."""
    bypass_keys(ApiKey.objects.filter(Q(account=account) | Q(account__sandbox_of=account)))


@receiver(sandbox_changed)
def bypass_keys_of_sandbox(*, account_id: str, **_: Any) -> None:
    """Bypass the test keys alone: the key cache has a copy of the clock and the faults with each of them."""
    bypass_keys(ApiKey.objects.filter(account_id=account_id, environment=Environment.TEST))
