"""From nothing to the first call: a key, a line to run, and a page that says when the call has arrived."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.gateway.request_log.selectors import first_call_at
from apps.keys.services.issue import issue_key
from apps.portal.first_call import placeholder, snippets
from apps.portal.place import DEVELOPERS, PortalView
from apps.portal.shown_once import keep, take

KEY_NAME = "Quick start"


class QuickStart(PortalView):
    section = "quick_start"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(secret=None)

    def page(self, *, secret: str | None) -> HttpResponse:
        place = self.place
        written = secret or placeholder(place.environment)
        return self.render(
            "portal/quick_start/index.html",
            {
                "secret": secret,
                "snippets": snippets(settings.PUBLIC_BASE_URL, written),
                "base_url": settings.PUBLIC_BASE_URL,
                "keys": place.account.keys.filter(environment=place.environment, revoked_at=None).count(),
                "first_call_at": first_call_at(place.account.pk, place.environment),
                "may_create": place.is_one_of(DEVELOPERS),
            },
        )


class QuickStartKey(PortalView):
    """A test key now, without a form. A live one is thought about first."""

    section = "quick_start"
    asks_again = frozenset({"POST"})

    def get(self, request: HttpRequest) -> HttpResponse:
        """Who comes by the address, as after signing in anew, is led to the button."""
        return redirect(self.place.reverse("quick_start"))

    def post(self, request: HttpRequest) -> HttpResponse:
        place = self.place
        if place.is_live:
            return redirect(place.reverse("key_new"))
        key, secret = issue_key(
            account=place.account, environment=place.environment, name=KEY_NAME, actor=self.actor
        )
        keep(request, key.pk, secret)
        return redirect(place.reverse("quick_start_with", key_id=key.pk))


class QuickStartWith(QuickStart):
    """The same page with the secret of the key just made; a second look is that of a page without."""

    http_method_names = ["get"]  # a HEAD would use it up unseen
    may = DEVELOPERS
    asks_again = frozenset({"GET"})

    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:  # type: ignore[override]
        secret = take(request, key_id)
        if secret is None:
            messages.info(request, "A secret is shown once. Fill in the one you kept, or create another key.")
            return redirect(self.place.reverse("quick_start"))
        return self.page(secret=secret)


class Arrived(PortalView):
    """The part of the page that waits for the first call, asked for again every few seconds."""

    section = "quick_start"

    def get(self, request: HttpRequest) -> HttpResponse:
        if "HX-Request" not in request.headers:  # opened as a page, which it is not
            return redirect(self.place.reverse("quick_start"))
        arrived = first_call_at(self.place.account.pk, self.place.environment)
        return self.render("portal/quick_start/arrived.html", {"first_call_at": arrived})
