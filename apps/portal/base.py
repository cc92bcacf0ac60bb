"""The views that every page of the portal is: who may see the page, and its context."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from functools import cached_property
from typing import Any, ClassVar

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.views import View

from apps.accounts.actors import Actor
from apps.accounts.models import Role, User
from apps.common import clock
from apps.common.environments import Environment
from apps.common.zones import zone_called
from apps.gateway.client_ip import client_address
from apps.portal.bookings.awaiting import count_awaiting
from apps.portal.context import (
    DEVELOPERS,
    EVERYONE,
    FORM_ACCOUNT_FIELD,
    PortalContext,
    context_for,
    memberships_of,
    remember_environment,
)
from apps.portal.errors import refuse_unreadable
from apps.portal.navigation import address_of_page, navigation
from apps.portal.sign_in.two_factor import SET_UP
from apps.portal.sign_in.unsent import Unsent, forget_unsent, read_unsent, to_log_in

ZONE_COOKIE = "browser_zone"
"""Written by static/js/portal.js. Absent without scripts."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
GET_AND_POST = frozenset({"GET", "POST"})
"""For `reauthenticated_methods`: the password is asked for before the form is shown, not only when it is sent."""


MEMBERS: dict[str, str] = {Role.FINANCE: "finance members"}
UNSENT = "You were logged out, so your last change was not sent. Nothing was changed."
UNSENT_HERE = "You were logged out, so this form was not sent. Check what you entered, then send it again."


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

    keeps_unsent: ClassVar[bool] = False
    """Whether a form that was sent without a session is filled in again after the log-in."""

    portal: PortalContext
    is_restored = False
    """Whether the form shows what was not sent."""

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
            account = request.POST.get(FORM_ACCOUNT_FIELD, "")
            return to_log_in(request, account, keep_values=self.keeps_unsent)
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
        """The answer of the method's handler; 403 when the member's role does not allow the method."""
        allowed = self.allowed_roles if request.method in READING else self.allowed_roles_to_post
        if not self.portal.has_role(allowed):
            return self.forbid(allowed)
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
        unsent_form = self.unsent if self.request.method == "GET" else None
        if unsent_form is not None:
            messages.warning(self.request, UNSENT_HERE if self.is_restored else UNSENT)
        page = render(self.request, template, {**self.layout_context(), **(context or {})}, status=status)
        if unsent_form is not None:
            forget_unsent(page)
        return page

    @cached_property
    def unsent(self) -> Unsent | None:
        """The form of this account that its sender's log-out kept from being sent. Not for a page that reloads itself."""
        if "HX-Request" in self.request.headers:
            return None
        found = read_unsent(self.request)
        return found if found is not None and found.account in ("", self.portal.account.pk) else None

    def forbid(self, roles: frozenset[str]) -> HttpResponse:
        """The page for a member without one of `roles`: who has one."""
        needed = [MEMBERS.get(role, f"{role}s") for role in Role.values if role in roles]
        shown = {
            # Not of a subclass, which may want the object that was not read.
            **PortalView.layout_context(self),
            "needed": f"{', '.join(needed[:-1])} and {needed[-1]}" if len(needed) > 1 else needed[0],
            "who": self.portal.who_has(roles),
        }
        return render(self.request, "portal/forbidden.html", shown, status=403)

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
            "navigation": navigation(
                self.portal.environment,
                self.section,
                self.awaiting,
                develops=self.portal.has_role(DEVELOPERS),
            ),
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
