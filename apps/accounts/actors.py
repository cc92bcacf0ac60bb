"""Who did something to an account, as its members read it in the trail."""

from dataclasses import dataclass

from django.http import HttpRequest

from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    label: str
    user: User | None = None
    address: str = ""
    """Where the request came from, where there was one."""


SUPPORT = Actor("Support")
"""Our staff at the command line."""
AUTOMATIC = Actor("Automatic")
"""Nobody: a rule that was met."""


def signed_in(request: HttpRequest) -> User:
    """Who sends `request`, to a page that nobody sees without having signed in."""
    assert isinstance(request.user, User)
    return request.user


def actor_of(user: User | None, address: str = "") -> Actor:
    """A member by the e-mail address; staff is "Support" to partners, and by name in the row for ourselves."""
    if user is None:
        return SUPPORT
    return Actor(SUPPORT.label if user.is_staff else user.email, user, address)
