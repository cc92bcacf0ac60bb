"""A partner's journey from the first sign-in to a live key, in a browser, with all processes of the service."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import global_settings
from playwright.sync_api import Browser, expect
from pytest_django import Settings

from apps.accounts.members import add_member
from apps.accounts.models import Membership, Role, User
from apps.accounts.terms import create_account
from tests.browser.journey import bookings, going_live, keys, staff, webhooks
from tests.browser.journey.looking import find_nothing_wrong, look_closely
from tests.browser.journey.service import whole_service
from tests.browser.visitor import Visitor
from tests.factories.ledger import WalletFactory
from tests.portal.person import PASSWORD, code_now, set_up_two_factor
from tests.support.flight_shop import FlightShop
from tests.support.receiver import Receiver, Reply, receiving
from tests.support.stack import HttpApi
from tests.support.tools import needs_curl

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), needs_curl]


@pytest.fixture(autouse=True)
def passwords_as_they_are_kept(settings: Settings) -> None:
    """The service's processes read the passwords, and do not have the tests' faster hasher."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS


@pytest.fixture
def owner(transactional_db: None) -> Membership:
    """The owner of an account with a test balance and nothing else, who never signed in."""
    account = create_account(name="Aurora Travel", currency="EUR")
    WalletFactory(account=account, cents=10_000_000)
    return add_member(account=account, email="owner@aurora.example", role=Role.OWNER, password=PASSWORD)


@pytest.fixture
def colleague(transactional_db: None) -> User:
    """A member of staff with an authenticator app."""
    user = User.objects.create_superuser("staff@service.example", PASSWORD)
    set_up_two_factor(user)
    return user


@pytest.fixture
def service(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    with whole_service(tmp_path) as url:
        yield url


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """The partner's server, which answers 500 at first."""
    with receiving(Reply(500, b"not ready")) as listening:
        yield listening


def test_from_the_first_sign_in_to_a_live_key(
    browser: Browser, service: str, owner: Membership, colleague: User, receiver: Receiver
) -> None:
    with Visitor.arrive(browser, service) as window:
        sign_in_for_the_first_time(window, owner.user)

        secret = keys.create_key(window, "test", "Booking engine")
        line = window.page.locator("#curl").inner_text()
        keys.find_the_secret_gone(window, secret)
        keys.wait_at_the_quick_start(window)
        assert json.loads(keys.run(line))["id"] == owner.account_id
        keys.see_the_quick_start_turn_green(window)
        keys.see_the_call_in_requests(window, "/v1/account")

        shop = FlightShop(HttpApi(service, secret))
        bookings.read_the_timeline(window, shop.ordered()["reference"])

        webhooks.register_endpoint(window, receiver.url)
        shop.ordered()
        webhooks.open_the_delivery(window, "booking.confirmed")
        webhooks.see_it_fail(window)
        receiver.answer = Reply(200)
        webhooks.resend(window)

        rotated = keys.rotate_key(window, "Booking engine")
        assert [call(service, each) for each in (secret, rotated, rotated)] == [200, 200, 200]
        keys.see_traffic(window, new=2, old=1)
        keys.end_the_old_secret(window)
        assert [call(service, each) for each in (secret, rotated)] == [401, 200]

        keys.be_refused_a_live_key(window, because="not approved for live keys")
        going_live.request_production_access(window)
        with Visitor.arrive(browser, service) as desk:
            staff.approve(desk, colleague, owner.account)
        going_live.see_the_approval(window)
        live = keys.create_key(window, "live", "Live server")

        going_live.let_the_approval_lapse(owner.account)
        keys.be_refused_a_live_key(window, because="has expired")
        assert call(service, live) == 200
        window.goto("/portal/live/")
        find_nothing_wrong(window)


def sign_in_for_the_first_time(window: Visitor, user: User) -> None:
    """Sign in, set up the authenticator app, sign out, and sign in with a code."""
    page = window.page
    window.goto("/")
    find_nothing_wrong(window)
    window.give_password(user.email)
    expect(page.get_by_role("heading", name="Set up two-factor authentication")).to_be_visible()
    look_closely(window)
    app = window.set_up_authenticator()
    expect(page.locator(".codes li")).to_have_count(10)
    look_closely(window)
    page.get_by_role("link", name="I have saved my codes").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    find_nothing_wrong(window)

    window.goto("/account/logout/")
    page.get_by_role("button", name="Log out").click()
    window.give_password(user.email)
    look_closely(window)
    window.give_code(code_now(app, offset=1))
    expect(page.get_by_role("heading", name="Home")).to_be_visible()


def call(service: str, secret: str) -> int:
    return HttpApi(service, secret).get("/v1/account").status
