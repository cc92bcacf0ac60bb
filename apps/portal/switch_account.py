"""Switching to another account or sandbox."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from apps.common.environments import Environment
from apps.portal.base import PortalView
from apps.portal.context import ACCOUNT_SESSION_KEY, EVERYONE, SANDBOX_SESSION_KEY


class SwitchAccountView(PortalView):
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return redirect(self.portal.reverse("home"))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Switch to the chosen account. Raises Http404 for an account that the person is not a member of."""
        wanted = request.POST.get("account", "")
        if all(membership.account_id != wanted for membership in self.portal.memberships):
            raise Http404
        request.session[ACCOUNT_SESSION_KEY] = wanted
        return redirect(self.portal.reverse("home"))


class SwitchSandboxView(SwitchAccountView):
    def post(self, request: HttpRequest) -> HttpResponseBase:
        wanted = request.POST.get("sandbox", "")
        if all(sandbox.name != wanted for sandbox in self.portal.sandboxes):
            raise Http404
        request.session[SANDBOX_SESSION_KEY] = wanted
        if text := request.POST.get("find", ""):
            return redirect(
                f"{reverse('portal:find', kwargs={'environment': Environment.TEST})}?{urlencode({'q': text})}"
            )
        back = "sandbox" if request.POST.get("back") == "sandbox" else "home"
        return redirect(f"portal:{back}", environment=Environment.TEST)
