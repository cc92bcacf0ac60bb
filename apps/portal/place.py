"""Where a signed-in person stands: for which account, in which role, in test or in live. Every portal page begins here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views import View

from apps.accounts.actors import Actor
from apps.accounts.models import Account, Membership, Role, User
from apps.common.environments import Environment
from apps.gateway.client_ip import client_address
from apps.portal.navigation import Entry, navigation
from apps.portal.readable import refuse_unreadable
from apps.portal.sign_in.two_factor import SET_UP, with_authenticator

EVERYONE = frozenset(Role.values)
OWNERS = frozenset({Role.OWNER})
DEVELOPERS = frozenset({Role.OWNER, Role.DEVELOPER})
FINANCE = frozenset({Role.OWNER, Role.FINANCE})

ACCOUNT_KEY = "portal_account"
SHOWN_FOR = "shown_for"
"""What a form says of itself: somebody may have switched to another account in a second window since."""
ENVIRONMENT_COOKIE = "portal_environment"
"""In the browser, because a session would be written for every look at the other side."""


@dataclass(frozen=True, slots=True)
class Place:
    """`environment` is that of the page, or on pages of the account as a whole the one last looked at."""

    user: User
    account: Account
    membership: Membership
    memberships: tuple[Membership, ...]
    """All of this person's, for the switcher."""
    environment: str
    two_factor: bool

    @property
    def role(self) -> str:
        return self.membership.role

    @property
    def is_live(self) -> bool:
        return self.environment == Environment.LIVE

    def is_one_of(self, roles: frozenset[str]) -> bool:
        return self.role in roles

    def reverse(self, name: str, **named: object) -> str:
        """The address of a portal page in this environment: `place.reverse("booking", booking_id=…)`."""
        return reverse(f"portal:{name}", kwargs={"environment": self.environment, **named})


def memberships_of(user: User) -> list[Membership]:
    """What the portal knows of a person, in one query."""
    mine = Membership.objects.filter(user=user).select_related("account")
    return list(mine.annotate(two_factor=with_authenticator("user_id")).order_by("created_at", "pk"))


class PortalView(View):
    """A page of the portal. `self.place` is set when a handler runs; who may not do it got a 403 before."""

    section: ClassVar[str] = "home"
    """The entry of the navigation this page belongs to, and where the test/live switch leads."""
    may: ClassVar[frozenset[str]] = EVERYONE
    may_post: ClassVar[frozenset[str]] = DEVELOPERS
    asks_again: ClassVar[frozenset[str]] = frozenset()
    """Methods before which the password or a code is asked for again, unless given in the last five minutes."""
    of_account: ClassVar[bool] = False
    """Whether the page is of the account as a whole rather than of test or live."""

    place: Place

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        environment = kwargs.pop("environment", None)
        response = self.admit(request, environment) or self.answer(request, args, kwargs)
        add_never_cache_headers(response)
        if environment is not None:
            remember(request, response, environment)
        return response

    def admit(self, request: HttpRequest, environment: str | None) -> HttpResponseBase | None:
        """None, with `self.place` set, or where to go instead."""
        user = request.user
        if not isinstance(user, User):
            return redirect_to_login(request.get_full_path())
        memberships = memberships_of(user)
        if not memberships:
            return (
                redirect("admin:index")
                if user.is_staff
                else render(request, "portal/no_account.html", status=403)
            )
        if settings.PORTAL_REQUIRE_TWO_FACTOR and not memberships[0].two_factor:  # type: ignore[attr-defined]
            return redirect(SET_UP)
        refuse_unreadable(request)
        self.place = stand(request, user, memberships, environment)
        return None

    def answer(self, request: HttpRequest, args: tuple[Any, ...], kwargs: dict[str, Any]) -> HttpResponseBase:
        allowed = self.may if request.method in {"GET", "HEAD", "OPTIONS"} else self.may_post
        if not self.place.is_one_of(allowed):
            raise PermissionDenied
        handle: Callable[..., HttpResponseBase] = super().dispatch
        if request.method in self.asks_again:
            handle = reauthentication_required(handle)
        return handle(request, *args, **kwargs)

    def render(
        self, template: str, context: dict[str, Any] | None = None, *, status: int = 200
    ) -> HttpResponse:
        return render(self.request, template, {**self.surroundings(), **(context or {})}, status=status)

    @property
    def actor(self) -> Actor:
        """Whom the trail names for what is done here."""
        user = self.place.user
        return Actor(user.email, user, client_address(self.request))

    def surroundings(self) -> dict[str, Any]:
        """What the layout needs."""
        return {
            "place": self.place,
            "section": self.section,
            "of_account": self.of_account,
            "navigation": self.navigation(),
            "switch": {kind: self.other_environment(kind) for kind in Environment.values},
            "two_factor_demanded": settings.PORTAL_REQUIRE_TWO_FACTOR,
        }

    def navigation(self) -> list[list[Entry]]:
        return navigation(self.place.environment)

    def other_environment(self, environment: str) -> str:
        """The same section over there: what this page shows belongs to one environment alone."""
        section = "home" if self.of_account else self.section
        return reverse(f"portal:{section}", kwargs={"environment": environment})


def stand(request: HttpRequest, user: User, memberships: list[Membership], environment: str | None) -> Place:
    """The account that a form was shown for, else the one chosen in the switcher, else the oldest membership's; the page's
    environment, or the last one.
    """
    shown_for, last = request.POST.get(SHOWN_FOR), request.session.get(ACCOUNT_KEY)
    chosen = shown_for or last
    membership = next((each for each in memberships if each.account_id == chosen), memberships[0])
    if shown_for and membership.account_id != shown_for:
        raise Http404
    if shown_for and shown_for != last:
        request.session[ACCOUNT_KEY] = shown_for
    return Place(
        user=user,
        account=membership.account,
        membership=membership,
        memberships=tuple(memberships),
        environment=environment or environment_last_seen(request),
        two_factor=membership.two_factor,  # type: ignore[attr-defined]
    )


def environment_last_seen(request: HttpRequest) -> str:
    seen = request.COOKIES.get(ENVIRONMENT_COOKIE, "")
    return seen if seen in Environment.values else str(Environment.TEST)


def remember(request: HttpRequest, response: HttpResponseBase, environment: str) -> None:
    """For the pages of the account as a whole: which of the two one came from."""
    if request.COOKIES.get(ENVIRONMENT_COOKIE) != environment:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(ENVIRONMENT_COOKIE, environment, httponly=True, samesite="Lax", secure=secure)
