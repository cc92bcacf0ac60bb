"""Browsers with their IP addresses, signing in."""

from typing import Any

from django.test import Client

from tests.portal.person import PASSWORD, Person, code_now

LOGIN, CODE_PAGE = "/account/login/", "/account/two-factor/code/"


def attempt(email: str, password: str = PASSWORD, address: str = "198.51.100.7") -> Any:
    """Sign in from a new browser."""
    return Client(REMOTE_ADDR=address).post(LOGIN, {"login": email, "password": password})


def known_browser(person: Person, address: str = "198.51.100.7", *, offset: int = 0) -> Client:
    """A browser from which `person` signed in and out before. `offset` is that of `code_now`."""
    browser = Client(REMOTE_ADDR=address)
    browser.post(LOGIN, {"login": person.user.email, "password": PASSWORD})
    assert browser.post(CODE_PAGE, {"code": code_now(offset=offset)})["Location"] == "/"
    browser.post("/account/logout/")
    return browser


def enters(browser: Client, person: Person, password: str = PASSWORD) -> Any:
    return browser.post(LOGIN, {"login": person.user.email, "password": password})
