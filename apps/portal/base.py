"""The views that every page of the portal is: who may see the page, and its context."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Any, ClassVar

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views import View

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.common import clock
from apps.common.environments import Environment
from apps.common.zones import zone_called
from apps.gateway.client_ip import client_address
from apps.portal.bookings.awaiting import count_awaiting
from apps.portal.context import (
    DEVELOPERS,
    EVERYONE,
    PortalContext,
    context_for,
    memberships_of,
    remember_environment,
)
from apps.portal.errors import refuse_unreadable
from apps.portal.navigation import address_of_page, navigation
from apps.portal.sign_in.two_factor import SET_UP

ZONE_COOKIE = "browser_zone"
"""Written by static/js/portal.js. Without scripts there is none."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
GET_AND_POST = frozenset({"GET", "POST"})
"""For `reauthenticated_methods`: the password is asked for before the form is shown, not only when it is sent."""


class PortalView(View):
    """A page of the portal. `self.portal` is set before a handler runs. A member without the role gets 403."""

    section: ClassVar[str] = "home"
    """The entry of the navigation that this page belongs to. The test/live switch leads there too."""
    allowed_roles: ClassVar[frozenset[str]] = EVERYONE
    allowed_roles_to_post: ClassVar[frozenset[str]] = DEVELOPERS
    reauthenticated_methods: ClassVar[frozenset[str]] = frozenset()
    """Methods that ask for the password or a code again, unless it was given in the last five minutes."""
    account_wide: ClassVar[bool] = False
    """Whether the page shows the whole account, and not one environment."""

    by_real_clock: ClassVar[bool] = False
    """Whether the page shows real times although it is of one environment: calls are logged in real time."""

    portal: PortalContext

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        environment = kwargs.pop("environment", None)
        response = self.refuse_entry(request, environment) or self.handle(request, args, kwargs)
        add_never_cache_headers(response)
        if environment is not None:
            remember_environment(request, response, environment)
        return response

    def refuse_entry(self, request: HttpRequest, environment: str | None) -> HttpResponseBase | None:
        """The answer for a visitor who must go elsewhere first; None for a member, with `self.portal` set."""
        user = request.user
        if not isinstance(user, User):
            return redirect_to_login(request.get_full_path())
        visit = getattr(request, "staff_visit", None)
        memberships: list[Any] = [visit.membership] if visit is not None else memberships_of(user)
        if not memberships:
            return (
                redirect("admin:index")
                if user.is_staff
                else render(request, "portal/no_account.html", status=403)
            )
        if settings.PORTAL_REQUIRE_TWO_FACTOR and not memberships[0].two_factor:
            return redirect(SET_UP)
        refuse_unreadable(request)
        self.portal = context_for(request, user, memberships, environment)
        return None

    def handle(self, request: HttpRequest, args: tuple[Any, ...], kwargs: dict[str, Any]) -> HttpResponseBase:
        """Raises PermissionDenied when the member's role does not allow the method."""
        allowed = self.allowed_roles if request.method in READING else self.allowed_roles_to_post
        if not self.portal.has_role(allowed):
            raise PermissionDenied
        handler: Callable[..., HttpResponseBase] = self.respond
        if request.method in self.reauthenticated_methods:
            handler = reauthentication_required(handler)
        clock.enter(None if self.account_wide or self.by_real_clock else self.portal.place)
        try:
            with timezone.override(zone_of(request, self.portal.user)):
                return handler(request, *args, **kwargs)
        finally:
            clock.enter(None)

    def respond(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Call the handler of the method, with the clock and the zone of the page."""
        return super().dispatch(request, *args, **kwargs)

    def render(
        self, template: str, context: dict[str, Any] | None = None, *, status: int = 200
    ) -> HttpResponse:
        return render(self.request, template, {**self.layout_context(), **(context or {})}, status=status)

    @property
    def actor(self) -> Actor:
        user = self.portal.user
        return Actor(user.email, user, client_address(self.request))

    def layout_context(self) -> dict[str, Any]:
        return {
            "portal": self.portal,
            "section": self.section,
            "account_wide": self.account_wide,
            "by_real_clock": self.by_real_clock,
            "may_change": self.portal.has_role(DEVELOPERS),
            "navigation": navigation(self.portal.environment, self.section, self.awaiting),
            "switch": {kind: self.address_in(kind) for kind in Environment.values},
            "two_factor_demanded": settings.PORTAL_REQUIRE_TWO_FACTOR,
        }

    @cached_property
    def awaiting(self) -> int | None:
        """How many bookings await approval; None where the account does not use that."""
        return count_awaiting(*self.portal.stored, clock.now(self.portal.place))

    def address_in(self, environment: str) -> str:
        """The same section in `environment`. Not the same page: what it shows exists in one environment alone."""
        section = "home" if self.account_wide else self.section
        return address_of_page(section, environment)


def zone_of(request: HttpRequest, user: User) -> tzinfo:
    return zone_called(user.time_zone) or browser_zone(request) or UTC


def browser_zone(request: HttpRequest) -> tzinfo | None:
    return zone_called(request.COOKIES.get(ZONE_COOKIE, ""))
