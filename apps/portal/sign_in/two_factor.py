"""Two-factor is required of everybody who signs in. Until it is set up, every page redirects to the set-up."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from apps.accounts.models import User
from apps.portal.errors import refuse_unreadable, refuse_unreadable_keys

SET_UP = "mfa_activate_totp"
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""Any of them makes a sign-in two factors."""


def with_authenticator(user_column: str) -> Exists:
    """For a query: whether the user in `user_column` has an authenticator app or a passkey."""
    return Exists(Authenticator.objects.filter(user_id=OuterRef(user_column), type__in=FACTORS))


def has_authenticator(user: User) -> bool:
    return bool(Authenticator.objects.filter(user=user, type__in=FACTORS).exists())


class TwoFactorForStaff:
    """Middleware for the back office: it requires two-factor of staff, and refuses input that PostgreSQL cannot read.

    The portal's views check both themselves (`PortalView`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith("/admin"):
            refuse_unreadable(request, *chosen_rows(request))
            if settings.PORTAL_REQUIRE_TWO_FACTOR and lacks_two_factor(request.user):
                return redirect(SET_UP)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Refuse an action whose chosen rows cannot be primary keys of the list: the admin would query for any text."""
        pages = getattr(view, "model_admin", None)
        if pages is not None:
            refuse_unreadable_keys(pages.opts.pk, chosen_rows(request))


def chosen_rows(request: HttpRequest) -> list[str]:
    return request.POST.getlist(ACTION_CHECKBOX_NAME)


def lacks_two_factor(user: User | AnonymousUser) -> bool:
    return isinstance(user, User) and user.is_staff and not has_authenticator(user)
