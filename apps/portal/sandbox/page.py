"""What the pages about a sandbox share: there is none of live."""

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse

from apps.common.environments import Environment
from apps.portal.base_view import PortalView


class SandboxPage(PortalView):
    section = "sandbox"

    def handle(self, request: HttpRequest, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Raises Http404 in live: nothing of it can be moved, reset or given funds."""
        if self.portal.is_live:
            raise Http404
        return super().handle(request, args, kwargs)

    def address_in(self, environment: str) -> str:
        """From here the switch leads to the home page of live, which has no such page."""
        if environment == Environment.LIVE:
            return reverse("portal:home", kwargs={"environment": environment})
        return super().address_in(environment)
