"""Debian's chromium, driven by playwright, in front of the service with its static files.

Without a browser these tests are skipped, unless REQUIRE_BROWSER=1 says that there must be one.
"""

import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, Page, sync_playwright

from apps.accounts.models import Role
from tests.browser.chromium import CHROMIUM, launch
from tests.browser.visitor import Visitor
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(f"There is no {CHROMIUM}")
        pytest.skip(f"waits for {CHROMIUM}, which .ci/run installs and REQUIRE_BROWSER=1 demands")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # playwright keeps an event loop in this thread, which Django takes for an asynchronous caller.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with launch(playwright) as chromium:
            yield chromium


@pytest.fixture(autouse=True)
def attempts_forgotten() -> None:
    """What other tests, and earlier runs, counted of sign-ins."""
    cache.clear()


@pytest.fixture
def visitor(browser: Browser, live_server) -> Iterator[Visitor]:
    """A browser window of its own cookies; nobody is signed in."""
    with Visitor.arrive(browser, live_server.url) as arrived:
        yield arrived


@pytest.fixture
def owner(live_server) -> Person:
    """The owner of an account, with two-factor set up."""
    return member_of(AccountFactory(name="Aurora Travel"), Role.OWNER)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page
