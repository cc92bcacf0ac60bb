"""What a form held when its sender turned out to be logged out, kept until they have logged in again.

It is kept in the browser, encrypted and for a quarter of an hour: nothing is stored here for a visitor who is not logged in. What
may be a secret is left out.
"""

import json
import re
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.common import clock
from apps.common.encryption import decrypt, encrypt

COOKIE, PATH = "portal_unsent", "/portal"
SECONDS = 15 * 60
MOST_BYTES = 3_500
"""Browsers keep cookies of up to 4,096 bytes."""
SECRET = re.compile("password|secret|token|code|signature|csrf", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unsent:
    """`path` is where the form was sent to, `account` the one that it was shown for."""

    path: str
    account: str
    values: QueryDict


def to_log_in(request: HttpRequest, account: str, *, keep_values: bool) -> HttpResponseBase:
    """Redirect a visitor who is not logged in, and say there why. After a POST they return to the page with the form."""
    if request.method in ("GET", "HEAD"):
        had_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        return redirect(address(request.get_full_path(), "expired" if had_session else ""))
    response = redirect(address(page_of_form(request), "unsent"))
    values = request.POST.copy()
    for name in list(values):
        if not keep_values or SECRET.search(name):
            del values[name]
    held = {"path": request.path, "account": account, "at": int(clock.now().timestamp())}
    sealed = encrypt(json.dumps({**held, "values": values.urlencode()}))
    if len(sealed) > MOST_BYTES:
        sealed = encrypt(json.dumps({**held, "values": ""}))
    response.set_cookie(
        COOKIE,
        sealed,
        max_age=SECONDS,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def address(page: str, ended: str) -> str:
    query = urlencode({"next": page, **({"ended": ended} if ended else {})}, safe="/")
    return f"{reverse('account_login')}?{query}"


def page_of_form(request: HttpRequest) -> str:
    """A button's address opens nothing by itself, so the page that it was on is what a browser names as the referrer."""
    page = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure()):
        return request.get_full_path()
    parts = urlsplit(page)
    if not parts.path.startswith(f"{PATH}/"):
        return request.get_full_path()
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def read_unsent(request: HttpRequest) -> Unsent | None:
    sealed = request.COOKIES.get(COOKIE)
    if not sealed:
        return None
    try:
        held = json.loads(decrypt(sealed))
    except (InvalidToken, ValueError):
        return None
    if int(clock.now().timestamp()) - held["at"] > SECONDS:
        return None
    return Unsent(held["path"], held["account"], QueryDict(held["values"]))


def forget_unsent(response: HttpResponseBase) -> None:
    response.delete_cookie(COOKIE, path=PATH, samesite="Lax")
