"""Who did something to an account, as its members read it in the audit trail."""

from dataclasses import dataclass

from django.http import HttpRequest

from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    label: str
    user: User | None = None
    address: str = ""
    """The address that the request came from, where there was one."""


SUPPORT = Actor("Support")
"""Our staff, at the command line."""
AUTOMATIC = Actor("Automatic")
"""No person: a rule did it."""


def signed_in(request: HttpRequest) -> User:
    """Who sends `request`, on a page that requires a sign-in."""
    assert isinstance(request.user, User)
    return request.user


def actor_of(user: User | None, address: str = "") -> Actor:
    """A member is shown by e-mail address. Staff are "Support" to partners; the row itself names them for us."""
    if user is None:
        return SUPPORT
    return Actor(SUPPORT.label if user.is_staff else user.email, user, address)
