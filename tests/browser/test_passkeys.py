"""Passkeys with chromium's virtual authenticator: added, used in each of three places, removed."""

import re

import pytest
from playwright.sync_api import expect

from apps.accounts.models import AccountAuditEntry
from tests.browser.visitor import Visitor
from tests.portal.person import Person

pytestmark = pytest.mark.django_db(transaction=True)
SECURITY = "/account/security/"


@pytest.fixture
def device(visitor: Visitor) -> None:
    """An authenticator of the machine, whose person touches it whenever it asks."""
    tools = visitor.context.new_cdp_session(visitor.page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "automaticPresenceSimulation": True,
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def add_passkey(visitor: Visitor, name: str) -> None:
    page = visitor.page
    visitor.goto(SECURITY)
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"**{SECURITY}")


@pytest.mark.usefixtures("device")
def test_a_passkey_signs_in_without_a_password_and_is_removed(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    page = visitor.page
    add_passkey(visitor, "Laptop")
    expect(page.get_by_text("Passkey added.")).to_be_visible()
    expect(page.get_by_text("not used yet")).to_be_visible()
    assert visitor.unfit() == []

    visitor.context.clear_cookies()
    visitor.goto("/portal/test/keys/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url(re.compile(r"^http://[^/]+/portal/test/keys/$"))

    visitor.goto(SECURITY)
    expect(page.get_by_text("last used")).to_be_visible()
    page.get_by_role("link", name="Remove Laptop").click()
    page.get_by_role("button", name="Remove").click()
    page.wait_for_url(f"**{SECURITY}")
    expect(page.get_by_text("Laptop")).to_have_count(0)
    actions = AccountAuditEntry.objects.filter(action__startswith="sign_in.passkey").order_by("id")
    assert [*actions.values_list("action", flat=True)] == ["sign_in.passkey_added", "sign_in.passkey_removed"]

    visitor.context.clear_cookies()
    visitor.goto("/account/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("was not accepted")).to_be_visible()
    assert visitor.complaints == []


@pytest.mark.usefixtures("device")
def test_a_passkey_takes_the_place_of_the_code(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    add_passkey(visitor, "Laptop")
    visitor.context.clear_cookies()
    visitor.goto("/account/login/")
    visitor.give_password(owner.user.email)
    page = visitor.page
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/portal/**")

    visitor.goto("/account/passkeys/confirm/?next=/account/security/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(re.compile(f".*{SECURITY}$"))
    assert visitor.complaints == []


def test_without_an_authenticator_the_page_says_so(visitor: Visitor, owner: Person):
    """The browser refuses at once: nobody is there to touch anything."""
    visitor.carry_session_of(owner)
    tools = visitor.context.new_cdp_session(visitor.page)
    tools.send("WebAuthn.enable")
    visitor.goto("/account/passkeys/add/")
    visitor.page.evaluate("() => { navigator.credentials.create = () => Promise.reject(new Error('no')) }")
    visitor.page.get_by_role("button", name="Continue").click()
    expect(visitor.page.get_by_text("No passkey was used.")).to_be_visible()
