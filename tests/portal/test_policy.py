"""The content security policy of every page, the error pages, and the settings of production."""

import json
import os
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.db import OperationalError
from django.test import Client

from apps.portal import theme
from tests.portal.pages import PAGES
from tests.portal.person import PASSWORD, Person
from tests.portal.reading import FILLED
from tests.portal.sample_data import add_sample_data
from tests.support.programs import done

pytestmark = pytest.mark.django_db
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
ENTRANCES = [
    "/account/login/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/account/inactive/",
]
OF_A_MEMBER = [
    "/account/logout/",
    "/account/security/",
    "/account/passkeys/add/",
    "/account/two-factor/remove/",
    "/account/recovery-codes/",
    "/account/recovery-codes/new/",
    "/account/password/change/",
    "/account/reauthenticate/",
    "/account/two-factor/reauthenticate/",
    "/no/such/page",
]


class Inline(HTMLParser):
    """Collects what the policy would refuse: inline styles, scripts and handlers, and addresses of other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [f"<{tag} {name}>" for name in given if name == "style" or name.startswith("on")]
        self.found += [f"<{tag}>"] * (tag == "style" or (tag == "script" and not given.get("src")))
        self.found += [
            f"<{tag}> from {v}" for n, v in attrs if n in {"src", "srcset"} and (v or "")[:1] != "/"
        ]
        self.found += [f"<{tag}> to {v}" for n, v in attrs if (v or "").lower().startswith("javascript:")]


def inline(html: str) -> list[str]:
    parser = Inline()
    parser.feed(html)
    return parser.found


def policy_of(response) -> dict[str, str]:
    directives = response["Content-Security-Policy"].split(";")
    return dict(directive.strip().split(" ", 1) for directive in directives)


@pytest.mark.parametrize("path", [*ENTRANCES, "/", "/no/such/page", "/admin/login/"])
def test_every_answer_outside_the_api_carries_the_strict_policy(client, path):
    response = client.get(path)
    assert policy_of(response) == POLICY
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_api_carries_none_of_it_and_no_cookie(client):
    response = client.get("/v1/ping")
    assert (response.has_header("Content-Security-Policy"), dict(response.cookies)) == (False, {})


def test_no_page_has_anything_inline(portal: Person):
    names = add_sample_data(portal.account, portal.user)
    asked = {page.path.format(**names): portal for page in PAGES}
    asked |= dict.fromkeys(OF_A_MEMBER, portal) | {path: Person(portal.user) for path in ENTRANCES}
    found = {path: inline(person.get(path).content.decode()) for path, person in asked.items()}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_what_is_for_one_person_is_kept_by_no_cache(portal: Person):
    names = add_sample_data(portal.account, portal.user)
    asked = {page.path.format(**names): portal for page in PAGES}
    asked |= dict.fromkeys(OF_A_MEMBER, portal) | {path: Person(portal.user) for path in ENTRANCES}
    del asked["/no/such/page"]
    kept = {path: person.get(path).get("Cache-Control", "") for path, person in asked.items()}
    assert {path: said for path, said in kept.items() if "no-store" not in said} == {}


def test_what_shows_a_secret_is_kept_by_no_cache(portal: Person):
    made = portal.post("/portal/test/keys/new/", FILLED, follow=True)
    codes = portal.get("/account/recovery-codes/download/")
    portal.post("/account/two-factor/remove/")
    shown = [made, codes, portal.get("/account/two-factor/set-up/")]
    assert (b"svc_test_" in made.content, b"totp-secret" in shown[2].content) == (True, True)
    assert ["no-store" in page["Cache-Control"] for page in shown] == [True] * 3


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(portal: Person, settings):
    answer = Client().post("/account/login/", {"login": portal.user.email, "password": PASSWORD})
    session = answer.cookies[settings.SESSION_COOKIE_NAME]
    token = Client().get("/account/login/").cookies[settings.CSRF_COOKIE_NAME]
    assert (session["httponly"], session["samesite"], session["max-age"]) == (True, "Lax", "")
    assert token["samesite"] == "Lax"
    named = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
    prefixed = {name.startswith("__Host-") for name in named}
    assert prefixed == {settings.SESSION_COOKIE_SECURE}, "over http no browser would take them"


@pytest.mark.parametrize(
    ("path", "headers", "status", "says"),
    [
        ("/no/such/page", {}, 404, "Page not found"),
        ("/portal/nowhere/keys/", {}, 404, "Page not found"),
        ("/account/login/", {"host": "evil.example"}, 400, "address is invalid"),
    ],
)
def test_errors_have_a_page_in_our_layout(client, path, headers, status, says):
    response = client.get(path, headers=headers)
    page = response.content.decode()
    assert response.status_code == status
    assert says in page
    assert '<link rel="stylesheet" href="/static/css/base.css">' in page
    assert inline(page) == []


def test_the_address_of_a_button_has_a_page_that_says_so(portal: Person):
    response = portal.get("/account/theme/")
    page = response.content.decode()
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert ("cannot be opened directly" in page, inline(page)) == (True, [])


def test_a_form_without_its_token_gets_a_page_that_says_what_to_do():
    response = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "a", "password": "b"})
    assert (response.status_code, "Allow cookies" in response.content.decode()) == (403, True)


@pytest.mark.parametrize(("error", "status"), [("crash", 500), ("database", 503)])
def test_a_crash_has_a_page_that_asks_the_database_nothing(
    monkeypatch, django_assert_num_queries, error, status
):
    failure = OperationalError("away") if error == "database" else RuntimeError("a fault")

    def fail(*args: object, **named: object) -> None:
        raise failure

    monkeypatch.setattr(theme, "url_has_allowed_host_and_scheme", fail)
    with django_assert_num_queries(0):
        response = Client(raise_request_exception=False).post("/account/theme/", {"theme": "dark"})
    assert response.status_code == status
    assert inline(response.content.decode()) == []
    assert "a fault" not in response.content.decode()


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/account"])
def test_the_api_never_answers_with_a_page(client, path):
    assert client.get(path)["Content-Type"] == "application/json"


PRODUCTION = {
    "SECRET_KEY": "k7#" + "0123456789abcdefghijklmnopqrstuvwxyz!@" * 2,
    "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
    "PUBLIC_BASE_URL": "https://api.example.com",  # hosts, redirect and HSTS follow from it
    "TRUSTED_PROXY_COUNT": "1",
    "EMAIL_URL": "smtp+tls://user:password@mail.example.com:587",
    "TOP_UP_INSTRUCTIONS": "IBAN X\\nReference: {reference}",
    "SUPPORT_EMAIL": "support@example.com",
    "HEALTH_TOKEN": "0123456789abcdef",
}
NOT_FOR_PRODUCTION = {
    "STATIC_FROM_SOURCE",
    "PORTAL_REQUIRE_TWO_FACTOR",
    "WEBHOOK_ALLOW_LOCAL_TARGETS",
    "SIMULATE_LIVE_KEYS",
    "SECURE_COOKIES",
    "DOCS_BASE_URL",
    "DEBUG",
}
# Said by other apps of what is theirs: which supplier serves live keys.
OF_SUPPLIERS = "suppliers."
PROBE = """
import json, django
django.setup()
from django.conf import settings
from django.core.management import call_command
from django.core.checks import run_checks
from pathlib import Path
settings.STATIC_ROOT = Path({root!r})
call_command("collectstatic", interactive=False, verbosity=0)
found = [check.id for check in run_checks(include_deployment_checks=True)]
from django.test import Client
page = Client().get("/account/login/", headers={{"host": "api.example.com", "x-forwarded-proto": "https"}})
plain = Client().get("/account/login/", headers={{"host": "api.example.com"}})
style = next(word for word in page.content.decode().split('"') if "css/base" in word)
served = Client().get(style, headers={{"host": "api.example.com", "x-forwarded-proto": "https", "accept-encoding": "gzip"}})
print(json.dumps({{
    "checks": found, "status": page.status_code, "hsts": page["Strict-Transport-Security"], "redirected": plain.get("Location"),
    "cookies": {{name: [morsel["secure"], morsel["path"], morsel["domain"]] for name, morsel in page.cookies.items()}},
    "names": [settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME],
    "style": style, "cached": served.get("Cache-Control"),
    "encoding": served.get("Content-Encoding"), "served": served.status_code,
    "docs": settings.DOCS_BASE_URL, "sender": settings.DEFAULT_FROM_EMAIL,
}}))
"""


@pytest.fixture(scope="module")
def production(tmp_path_factory) -> dict[str, object]:
    root = str(tmp_path_factory.mktemp("static"))
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_FOR_PRODUCTION}
    environment = {**inherited, **PRODUCTION, "DJANGO_SETTINGS_MODULE": "config.settings"}
    ended = done(["-c", PROBE.format(root=root)], environment)
    assert ended.code == 0, ended.stderr
    answer: dict[str, object] = json.loads(ended.stdout.splitlines()[-1])
    return answer


def test_check_deploy_finds_nothing(production):
    assert [check for check in production["checks"] if not check.startswith(OF_SUPPLIERS)] == []


def test_links_to_the_docs_and_the_sender_follow_from_the_address_and_support(production):
    assert production["docs"] == "https://api.example.com/docs"
    assert production["sender"] == "Travel Partner API <support@example.com>"


def test_pages_come_over_https_alone(production):
    assert production["redirected"] == "https://api.example.com/account/login/"
    assert production["hsts"] == "max-age=31536000; includeSubDomains; preload"


def test_cookies_are_for_this_host_alone(production):
    """A browser accepts a cookie with the prefix over https only, and for this host only."""
    assert production["names"] == ["__Host-sessionid", "__Host-csrftoken"]
    assert production["cookies"] == {"__Host-csrftoken": [True, "/", ""]}


def test_styles_are_named_by_their_content_compressed_and_kept_for_ever(production):
    assert production["style"] != "/static/css/base.css"
    assert (production["status"], production["served"], production["encoding"]) == (200, 200, "gzip")
    assert production["cached"] == "max-age=315360000, public, immutable"


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"PORTAL_REQUIRE_TWO_FACTOR": False}, ["portal.E001"]),
        ({"STATIC_FROM_SOURCE": True}, ["portal.E002"]),
        ({"STATIC_ROOT": Path("/nowhere"), "STATIC_FROM_SOURCE": False}, ["portal.E003"]),
        ({"PUBLIC_BASE_URL": "http://127.0.0.1:8000"}, ["portal.E004"]),
        ({"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}, ["portal.E005"]),
        ({"TOP_UP_INSTRUCTIONS": " "}, ["portal.E006"]),
        ({"TOP_UP_INSTRUCTIONS": "IBAN X", "GATEWAY_ENVIRONMENT": "test"}, ["portal.E007"]),
        ({"SUPPORT_EMAIL": ""}, ["portal.E008"]),
    ],
)
def test_what_is_for_development_is_refused_in_production(settings, changed, found):
    from django.core.checks import run_checks

    settings.PORTAL_REQUIRE_TWO_FACTOR = True
    for name, value in changed.items():
        setattr(settings, name, value)
    said = [
        check.id for check in run_checks(include_deployment_checks=True) if check.id.startswith("portal.")
    ]
    assert set(found) <= set(said)
