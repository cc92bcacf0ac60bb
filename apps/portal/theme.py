"""The choice of a light or dark theme. A cookie keeps it, so that the server renders the right theme without a script."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

THEMES = {"system": "Theme: System", "light": "Theme: Light", "dark": "Theme: Dark"}
COOKIE, COOKIE_SECONDS = "theme", 365 * 24 * 3600


def chosen_theme(request: HttpRequest | None) -> str:
    chosen = request.COOKIES.get(COOKIE, "") if request is not None else ""
    return chosen if chosen in THEMES else "system"


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponseBase:
    back = request.POST.get("next", "")
    if not (url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/")):
        back = "/"
    response = redirect(back)
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        keep_theme(request, response, theme)
    return response


def keep_theme(request: HttpRequest, response: HttpResponseBase, theme: str) -> None:
    """In the browser, for a year."""
    response.set_cookie(
        COOKIE, theme, max_age=COOKIE_SECONDS, secure=request.is_secure(), httponly=True, samesite="Lax"
    )
