"""Mails to our own staff, for those who chose them in the back office."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from apps.accounts.models import StaffMailChoice, StaffMailKind, User
from apps.accounts.services.tell_owners import tell

RIGHTS = {
    StaffMailKind.LIVE_REQUESTS: ("portal", "view_livekeyrequest"),
    StaffMailKind.REVIEWS: ("bookings", "view_operation"),
}
"""Who may not see the page is not mailed of it."""


def choose_mails(*, person: User, kinds: Collection[str]) -> None:
    """From now on `person` is mailed of these kinds, and of no other."""
    StaffMailChoice.objects.update_or_create(person=person, defaults={"kinds": sorted(kinds)})


def chosen_mails(person: User) -> list[str]:
    return StaffMailChoice.objects.filter(person=person).values_list("kinds", flat=True).first() or []


def tell_staff(kind: StaffMailKind, subject: str, body: str) -> None:
    """After the commit, a mail to each who chose this kind, is still of our staff, and may see what it tells of."""
    for person in readers_of(kind):
        app, codename = RIGHTS[kind]
        if person.has_perm(f"{app}.{codename}"):
            tell(person.email, subject, body)


def readers_of(kind: StaffMailKind) -> QuerySet[User]:
    chosen = StaffMailChoice.objects.filter(kinds__contains=[kind]).values("person")
    return User.objects.filter(Q(pk__in=chosen), is_staff=True, is_active=True)
