"""The account switcher, for a person who is a member of several accounts."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from apps.portal.base_view import PortalView
from apps.portal.context import ACCOUNT_SESSION_KEY, EVERYONE


class SwitchAccountView(PortalView):
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """A GET follows after signing in anew. It redirects to the home page."""
        return redirect(self.portal.reverse("home"))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Switch to the chosen account. Raises Http404 for an account that the person is not a member of."""
        wanted = request.POST.get("account", "")
        if all(membership.account_id != wanted for membership in self.portal.memberships):
            raise Http404
        request.session[ACCOUNT_SESSION_KEY] = wanted
        return redirect(self.portal.reverse("home"))
