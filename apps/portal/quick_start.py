"""Quick start: a key, a first call, and code to copy."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common.errors import Conflict, InvalidRequest
from apps.keys.scopes import is_sold
from apps.keys.selectors import keys_of
from apps.keys.services import issue_key
from apps.portal.base import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.forms import SecretView, show_secret
from apps.request_log.selectors import first_call_at

CURL = """\
curl -s {base}/v1/account \\
  -H "Authorization: Bearer {secret}"
"""
PYTHON = """\
import requests

answer = requests.get(
    "{base}/v1/account",
    headers={{"Authorization": "Bearer {secret}"}},
    timeout=30,
)
print(answer.status_code, answer.json())
"""
JAVASCRIPT = """\
const answer = await fetch("{base}/v1/account", {{
  headers: {{ Authorization: "Bearer {secret}" }},
}});
console.log(answer.status, await answer.json());
"""
LANGUAGES = {"curl": CURL, "Python": PYTHON, "JavaScript": JAVASCRIPT}


@dataclass(frozen=True, slots=True)
class Snippet:
    language: str
    code: str

    @property
    def anchor(self) -> str:
        return f"call-{self.language.lower()}"


def snippets(base_url: str, secret: str) -> list[Snippet]:
    return [
        Snippet(language, code.format(base=base_url, secret=secret).rstrip())
        for language, code in LANGUAGES.items()
    ]


def placeholder(environment: str) -> str:
    return f"svc_{environment}_…"


KEY_NAME = "Quick start"


class QuickStartView(PortalView):
    section = "quick_start"

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(secret=None)

    def page(self, *, secret: str | None) -> HttpResponse:
        portal = self.portal
        written = secret or placeholder(portal.environment)
        return self.render(
            "portal/quick_start/index.html",
            {
                "secret": secret,
                "snippets": snippets(settings.PUBLIC_BASE_URL, written),
                "base_url": settings.PUBLIC_BASE_URL,
                "offered": {product: is_sold(product) for product in settings.SUPPLIERS},
                "keys": keys_of(*portal.stored).filter(revoked_at=None).count(),
                "first_call_at": first_call_at(*portal.stored),
                "may_create": portal.has_role(DEVELOPERS),
            },
        )


class QuickStartKeyView(PortalView):
    """Create a test key without a form. On live the button leads to the form."""

    section = "quick_start"
    reauthenticated_methods = frozenset({"POST"})

    def get(self, request: HttpRequest) -> HttpResponse:
        """A GET follows after the password was asked for again. It returns to the button."""
        return redirect(self.portal.reverse("quick_start"))

    def post(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        if portal.is_live:
            return redirect(portal.reverse("key_new"))
        try:
            key, secret = issue_key(
                account=portal.stored_account, environment=portal.environment, name=KEY_NAME, actor=self.actor
            )
        except (InvalidRequest, Conflict) as refusal:
            messages.error(request, reason_of(refusal))
            return redirect(portal.reverse("quick_start"))
        return show_secret(self, "quick_start_with", key.pk, secret)


def reason_of(refusal: InvalidRequest | Conflict) -> str:
    """In the service's words; here is no form that could show them."""
    details: Any = refusal.extras.get("details", [])
    return " ".join(detail["message"] for detail in details) or refusal.message


class QuickStartSecretView(QuickStartView, SecretView):
    """The same page with the secret of the new key. A second visit shows the page without it."""

    already_shown = "A secret is shown once. Fill in the one you kept, or create another key."

    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:  # type: ignore[override]
        secret = self.take_secret(key_id)
        if secret is None:
            return redirect(self.portal.reverse("quick_start"))
        return self.page(secret=secret)


class FirstCallView(PortalView):
    """The part of the page that waits for the first call. The page loads it again every few seconds."""

    section = "quick_start"

    def get(self, request: HttpRequest) -> HttpResponse:
        if "HX-Request" not in request.headers:  # opened in a window: it is only a part of a page
            return redirect(self.portal.reverse("quick_start"))
        arrived = first_call_at(*self.portal.stored)
        return self.render("portal/quick_start/arrived.html", {"first_call_at": arrived})
