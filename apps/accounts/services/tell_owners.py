"""Mails to people, sent after the commit of what they tell."""

from functools import partial

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from apps.accounts.models import Account, Role


def tell_owners(account: Account, subject: str, body: str) -> None:
    """Each owner gets a mail of their own."""
    owners = account.memberships.filter(role=Role.OWNER, user__is_active=True)
    for address in owners.values_list("user__email", flat=True):
        tell(address, subject, body)


def tell(address: str, subject: str, body: str) -> None:
    """A mail after the commit. If the mail server is away, nothing is undone."""
    send = partial(send_mail, subject, body, settings.DEFAULT_FROM_EMAIL, [address], fail_silently=True)
    transaction.on_commit(send, robust=True)
