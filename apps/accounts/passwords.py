"""A password must not consist of names: ours, the account's, or the person's own."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError

from apps.accounts.models import Account, Invitation, User

OURS = ("travelpartnerapi", "travelpartner", "travel", "partner", "portal", "password", "welcome")
SHORTEST_NAME = 3
LEAST_BESIDE = 8
"""How many letters and digits a password must have besides names."""
MEANT = str.maketrans("013457@$!", "oieastasi")
"""What people write in place of a letter."""


class NoNames:
    """Names may be in a password, but do not count: the rest must be long enough by itself."""

    def validate(self, password: str, user: User | None = None) -> None:
        names = sorted(set(names_around(user)), key=len, reverse=True)
        if min(beside(password, names), beside(password.lower().translate(MEANT), names)) < LEAST_BESIDE:
            raise ValidationError(
                "This password consists of names that others know: ours, your company's, your own. "
                f"It needs at least {LEAST_BESIDE} letters and digits besides them.",
                code="password_of_names",
            )

    def get_help_text(self) -> str:
        return "Your password can’t be made of our name, your company’s or your own."


def beside(password: str, names: Iterable[str]) -> int:
    """How many letters and digits are left without `names`, the longest of which come first."""
    left = plain(password)
    for name in names:
        left = left.replace(name, "")
    return len(left)


def names_around(user: User | None) -> Iterator[str]:
    """Each name as a whole and word by word, in letters and digits alone."""
    yield from OURS
    told = [urlsplit(settings.PUBLIC_BASE_URL).hostname or ""]
    if user is not None:
        told += [user.email, user.first_name, user.last_name, *accounts_of(user)]
    for name in told:
        words = [plain(name), *(plain(word) for word in re.split(r"[\W_]+", name))]
        yield from (word for word in words if len(word) >= SHORTEST_NAME)


def accounts_of(user: User) -> list[str]:
    """The names of the accounts that `user` belongs to, or is invited to."""
    invited = Invitation.objects.filter(email__iexact=user.email, accepted_at=None, withdrawn_at=None)
    accounts = Account.objects.filter(pk__in=invited.values("account"))
    if user.pk is not None:
        accounts |= Account.objects.filter(pk__in=user.memberships.values("account"))
    return list(accounts.values_list("name", flat=True))


def plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
