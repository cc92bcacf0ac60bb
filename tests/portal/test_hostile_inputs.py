"""Hostile input for every page of the portal, of the documentation and of the sign-in.

The routes are read from the URL map, so a page that is added is asked as well. Whatever is sent, no answer is a crash.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tests.portal.person import Person
from tests.portal.sample_data import add_sample_data

pytestmark = pytest.mark.django_db

EVERY = 5
"""The suite sends every fifth of the 3,700 cases; `make fuzz` sends all."""
AREAS = ("portal/", "docs", "account/")
FEWEST = {"queries": 400, "paths": 300, "forms": 400, "methods": 300, "types": 150, "headers": 150}

SURROGATE, BROKEN, NUL = "%ED%A0%80", "%FF%FE", "%00"
VALUES = [
    *(NUL, SURROGATE, BROKEN, "", "9" * 400, "-1"),
    *("0000-01-01", "0001-01-01", "9999-12-31", "99999-01-01", "1e309", "%27%20OR%201=1--"),
    *("a" * 3_000, "%F0%9F%92%A9%E2%80%AE", "99999999999999999-x"),
    *("-9223372036854775809-evt_0", "1-" + "z" * 70),
]
"""Values for a parameter, encoded as in an address."""
IDS = [
    *(f"x{NUL}", SURROGATE, BROKEN, "x" * 5_000, "..", "%2E%2E%2Fetc"),
    *("0", "-1", "9" * 30, "%F0%9F%92%A9", "%27--", "a%0Ab", "%C4%B0"),
]
LISTS = {
    "portal/audit/": "cursor since until actor action environment",
    "portal/test/requests/": "cursor since until status product error_type key request_id operation booking newer_than",
    "portal/test/call-outcomes/": "q",
    "portal/test/find/": "q",
    "portal/test/bookings/": "cursor since until product status text newer_than",
    "portal/test/balance/": "cursor since until type booking",
    "portal/test/balance/ledger.csv": "since until type booking",
    "portal/test/balance/usage/": "days month since until",
    "portal/test/webhooks/deliveries/": "cursor since until status endpoint event_type text newer_than",
    "portal/test/webhooks/{endpoint_id}/recover/": "since until what per_minute",
    "account/login/": "next",
}
FIELDS = [
    *("name", "scopes", "allowed_ips", "settlement_mode", "overlap", "newest", "email", "role"),
    *("account", "shown_for", "note", "next", "theme", "url", "description", "events"),
    *("immediate", "since", "until", "what", "per_minute", "confirm", "text", "login"),
    *("password", "password1", "password2", "oldpassword", "code", "delivery", "query"),
]
KINDS = {
    "environment": "test",
    "slug": "unheard-of",
    "type": "conflict",
    "uidb36": "zz",
    "key": "c8d-0123",
    "token": "inv_1:1:x",
}


@dataclass(frozen=True)
class Route:
    """`path` with `{names}` for its parameters other than the environment."""

    path: str
    names: tuple[str, ...] = field(default=())


@cache
def routes() -> list[Route]:
    found = dict.fromkeys(walk(get_resolver().url_patterns, ""))
    return [route for route in found if route.path.startswith(AREAS)]


def walk(patterns: Iterable[URLPattern | URLResolver], above: str) -> Iterator[Route]:
    for each in patterns:
        path = above + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from walk(each.url_patterns, path) if path.startswith(AREAS) or not path else ()
        else:
            yield route_of(path)


def route_of(path: str) -> Route:
    if path.startswith("account/") and "(?P" in path:
        path = "account/password/reset/key/<str:uidb36>-<str:key>/"
    names = []
    while "<" in path:
        before, _, rest = path.partition("<")
        named, _, after = rest.partition(">")
        name = named.rpartition(":")[2]
        if name == "environment":
            path = f"{before}test{after}"
        else:
            names.append(name)
            path = f"{before}{{{name}}}{after}"
    return Route(path, tuple(names))


class Asker:
    """Sends cases from the owner's browser and collects the crashes. Each case is rolled back."""

    def __init__(self, person: Person, names: dict[str, str], every: int) -> None:
        self.client = person.client
        self.client.raise_request_exception = False
        self.stranger = Client(raise_request_exception=False)
        self.names = KINDS | {f"{name}_id": value for name, value in names.items()}
        self.made, self.every = 0, every
        self.wrong: dict[str, int] = {}

    def send(self, method: str, address: str, *, by: Client | None = None, **more: Any) -> None:
        self.made += 1
        if self.made % self.every:
            return
        undo = transaction.savepoint()
        answer = (by or self.client).generic(method, address, **more)
        if answer.streaming:
            b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        transaction.set_rollback(False)
        transaction.savepoint_rollback(undo)
        if answer.status_code >= 500:
            self.wrong[f"{method} {address[:120]} {str(more)[:160]}"] = answer.status_code

    def path(self, route: Route, **changed: str) -> str:
        return "/" + route.path.format(**{**dict.fromkeys(route.names, "0"), **self.names, **changed})

    def check(self, group: str) -> None:
        assert self.wrong == {}
        assert self.made >= FEWEST[group]


@pytest.fixture
def asker(portal: Person, settings, pytestconfig: pytest.Config) -> Asker:
    settings.ACCOUNT_RATE_LIMITS = dict.fromkeys(settings.ACCOUNT_RATE_LIMITS)
    every = 1 if pytestconfig.getoption("--fuzz-examples") else EVERY
    return Asker(portal, add_sample_data(portal.account, portal.user), every)


def test_the_map_has_the_pages_that_are_known():
    paths = {route.path for route in routes()}
    assert {
        "portal/audit/",
        "portal/test/keys/{key_id}/rotate/",
        "docs/errors/{type}",
        "account/login/",
    } <= paths
    assert len(paths) >= 75


def test_a_crash_is_found(asker: Asker, monkeypatch):
    def crash(*args: object, **named: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("apps.portal.audit.page_of_trail", crash)
    asker.every = 1
    asker.send("GET", "/portal/audit/?cursor=1")
    assert asker.wrong == {"GET /portal/audit/?cursor=1 {}": 500}


def test_parameters_that_nobody_should_send(asker: Asker):
    for path, names in LISTS.items():
        for name in names.split():
            for value in VALUES:
                asker.send("GET", f"{asker.path(Route(path))}?{name}={value}")
    for route in routes():
        for query in (
            f"x={NUL}",
            f"cursor={SURROGATE}&since=0000-00-00&until=99999-12-31",
            "since=2026-01-01&since=2020-01-01&cursor[]=1&cursor[x]=2",
            "&".join(f"a{n}=1" for n in range(1_100)),
        ):
            asker.send("GET", f"{asker.path(route)}?{query}")
    asker.check("queries")


def test_paths_that_name_nothing(asker: Asker):
    for route in routes():
        for name in route.names:
            for value in IDS:
                asker.send("GET", asker.path(route, **{name: value}))
                asker.send("POST", asker.path(route, **{name: value}))
    for area in AREAS:
        for value in IDS:
            asker.send("GET", f"/{area.rstrip('/')}/{value}")
    asker.check("paths")


FORM = "application/x-www-form-urlencoded"


def test_forms_that_nobody_filled_in(asker: Asker):
    bodies = [
        "",
        *("&".join(f"{name}={value}" for name in FIELDS) for value in (NUL, SURROGATE, "9" * 400, "%5B%5D")),
    ]
    bodies.append("&".join(f"{name}=1&{name}=2&{name}[]=3" for name in FIELDS))
    bodies.append("&".join(f"{name}={'a' * 9_000}" for name in FIELDS))
    bodies.append(
        "name=x&scopes=account:read&settlement_mode=x&email=a@b.example&role=boss&url=http://[::1&events=x"
    )
    bodies.append(
        f"since=0001-01-01T00:00&until=9999-12-31T23:59&what=missed&per_minute={'9' * 30}&newest={'9' * 30}"
    )
    for route in routes():
        for body in bodies:
            asker.send("POST", asker.path(route), data=body, content_type=FORM)
    for path in ("/account/login/", "/account/password/reset/", "/account/theme/"):
        for body in bodies:
            asker.send("POST", path, by=asker.stranger, data=body, content_type=FORM)
    asker.check("forms")


def test_methods_that_a_page_does_not_take(asker: Asker):
    for route in routes():
        for method in ("PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PURGE"):
            asker.send(method, asker.path(route), data="x=1", content_type=FORM)
    asker.check("methods")


def test_bodies_of_kinds_that_a_page_does_not_take(asker: Asker):
    kinds = [
        ("application/json", '{"login": [1], "email": {}}'),
        ("text/plain", "login=x"),
        ("multipart/form-data", "x"),
        ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n\xff"),
        ("multipart/form-data; boundary=é", "--x--"),
        (
            "multipart/form-data; boundary=x",
            '--x\r\nContent-Disposition: form-data; name="logo"; filename="a\x00/../é.png"\r\n\r\n\x89PNG\r\n\x1a\n\x00',
        ),
        ("application/x-www-form-urlencoded; charset=unheard-of", "email=%FF"),
        ("application/x-www-form-urlencoded; charset=utf-16", "email=a@b.example"),
        ("\x00;;=", "x"),
        ("", "x"),
    ]  # fmt: skip
    posting = [route for route in routes() if route.path.startswith("account/")]
    pages = ("test/keys/new/", "team/invite/", "switch/", "branding/", "branding/logo/")
    posting += [Route(f"portal/{path}") for path in pages]
    for route in posting:
        for kind, body in kinds:
            asker.send("POST", asker.path(route), data=body.encode("latin-1"), content_type=kind)
    asker.check("types")


def test_cookies_and_headers_that_no_browser_sends(asker: Asker, settings):
    cookies = [
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        "messages",
        "theme",
        "portal_environment",
    ]
    values = ["", "\x00", "é" * 50, "x" * 9_000, '"', "a:b:c", "[[1]]"]
    headers: list[dict[str, str]] = [{"cookie": f"{name}={value}"} for name in cookies for value in values]
    headers += [
        {"cookie": "; ".join(f"c{n}=1" for n in range(2_000))},
        {"host": "evil.example"},
        {"host": "a b"},
        {"referer": "\x00"},
        {"accept": "application/json"},
        {"x-requested-with": "XMLHttpRequest"},
        {"hx-request": "true", "hx-current-url": "\x00"},
        {"x-forwarded-for": "not, an, address"},
        {"user-agent": "\xff" * 5_000},
        {"if-modified-since": "soon", "range": "bytes=9-1"},
    ]
    for path in ("/portal/test/", "/docs/", "/account/login/", "/account/security/"):
        for given in headers:
            asker.send("GET", path, by=asker.stranger if "cookie" in given else None, headers=given)
    for given in headers:
        asker.send(
            "POST", "/account/login/", by=asker.stranger, data="login=a@b.example&password=x", content_type=FORM, headers=given
        )  # fmt: skip
    asker.check("headers")
