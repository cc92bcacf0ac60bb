"""Mails to owners and to our own staff, sent after the commit of what they are about."""

from collections.abc import Collection
from functools import partial

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet

from apps.accounts.models import Account, Role, StaffMailChoice, StaffMailKind, User

RIGHTS = {
    StaffMailKind.LIVE_REQUESTS: ("portal", "view_livekeyrequest"),
    StaffMailKind.REVIEWS: ("bookings", "view_operation"),
}
"""Who may not see the page is not mailed of it."""


def tell_owners(account: Account, subject: str, body: str) -> None:
    """Each owner gets a mail of their own."""
    owners = account.memberships.filter(role=Role.OWNER, user__is_active=True)
    for address in owners.values_list("user__email", flat=True):
        tell(address, subject, body)


def tell(address: str, subject: str, body: str) -> None:
    """A mail after the commit. If the mail server is away, nothing is undone."""
    send = partial(send_mail, subject, body, settings.DEFAULT_FROM_EMAIL, [address], fail_silently=True)
    transaction.on_commit(send, robust=True)


def choose_mails(*, person: User, kinds: Collection[str]) -> None:
    """From now on `person` is mailed of these kinds, and of no other."""
    StaffMailChoice.objects.update_or_create(person=person, defaults={"kinds": sorted(kinds)})


def chosen_mails(person: User) -> list[str]:
    return StaffMailChoice.objects.filter(person=person).values_list("kinds", flat=True).first() or []


def tell_staff(kind: StaffMailKind, subject: str, body: str) -> None:
    """After the commit, a mail to each who chose this kind, is still of our staff, and may see what it is about."""
    for person in readers_of(kind):
        app, codename = RIGHTS[kind]
        if person.has_perm(f"{app}.{codename}"):
            tell(person.email, subject, body)


def readers_of(kind: StaffMailKind) -> QuerySet[User]:
    chosen = StaffMailChoice.objects.filter(kinds__contains=[kind]).values("person")
    return User.objects.filter(Q(pk__in=chosen), is_staff=True, is_active=True)
