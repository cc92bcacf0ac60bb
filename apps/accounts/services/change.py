"""The one way to change an existing account: it changes the row and sends the signal to whoever has a copy."""

from django.db import transaction

from apps.accounts.models import Account
from apps.accounts.signals import account_changed


@transaction.atomic
def change(account: Account, **fields: object) -> None:
    """Set `fields` on `account`, in memory and in PostgreSQL. The caller has checked them."""
    for name, value in fields.items():
        setattr(account, name, value)
    account.save(update_fields=[*fields, "updated_at"])
    account_changed.send(sender=Account, account=account)
