"""Debian's chromium, driven by playwright, against a live server with static files.

Without a browser these tests are skipped, unless REQUIRE_BROWSER=1 says that there must be one.
"""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from playwright.sync_api import Browser, Page, sync_playwright

from apps.accounts.models import Role
from tests.browser.chromium import CHROMIUM, launch
from tests.browser.visitor import Visitor
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of
from tests.support.tools import REQUIRED


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        if REQUIRED:
            pytest.fail(f"There is no {CHROMIUM}")
        pytest.skip(f"waits for {CHROMIUM}, which .ci/run installs and REQUIRE_BROWSER=1 demands")
    connection.close()  # Django has another one for as long as playwright's loop is there
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # playwright keeps an event loop in this thread, which Django takes for an asynchronous caller.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        with launch(playwright) as chromium:
            yield chromium


@pytest.fixture(autouse=True)
def attempts_forgotten() -> None:
    """Clear what other tests and earlier runs have counted."""
    cache.clear()


@pytest.fixture
def visitor(browser: Browser, live_server) -> Iterator[Visitor]:
    """A browser window with its own cookies, not signed in."""
    with Visitor.arrive(browser, live_server.url) as arrived:
        yield arrived


@pytest.fixture
def owner(live_server) -> Person:
    """The owner of an account, with two-factor set up."""
    return member_of(AccountFactory(name="Aurora Travel"), Role.OWNER)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    return visitor.page
