"""The account switcher, for who is a member of several."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from apps.portal.place import ACCOUNT_KEY, EVERYONE, PortalView


class SwitchAccount(PortalView):
    may_post = EVERYONE

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Who comes by the address, as after signing in anew, begins at home."""
        return redirect(self.place.reverse("home"))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Look at another account of one's own; anybody else's is not found."""
        wanted = request.POST.get("account", "")
        if all(membership.account_id != wanted for membership in self.place.memberships):
            raise Http404
        request.session[ACCOUNT_KEY] = wanted
        return redirect(self.place.reverse("home"))
