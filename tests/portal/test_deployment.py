"""Production settings in a process of their own, with static files collected, as in a deployment."""

import json
import os
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.support.programs import done

PRODUCTION = {
    "SECRET_KEY": "k7#" + "0123456789abcdefghijklmnopqrstuvwxyz!@" * 2,
    "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
    "ALLOWED_HOSTS": "api.example.com",
    "PUBLIC_BASE_URL": "https://api.example.com",
    "SECURE_SSL_REDIRECT": "true",
    "SECURE_HSTS_SECONDS": "31536000",
    "TRUSTED_PROXY_COUNT": "1",
    "EMAIL_URL": "smtp+tls://user:password@mail.example.com:587",
}
NOT_FOR_PRODUCTION = {
    "STATIC_FROM_SOURCE",
    "PORTAL_REQUIRE_TWO_FACTOR",
    "WEBHOOK_ALLOW_LOCAL_TARGETS",
    "SIMULATE_LIVE_KEYS",
    "SECURE_COOKIES",
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
