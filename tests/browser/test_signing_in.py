"""Signing in, in a browser."""

import re

import pytest
from django.core import mail
from playwright.sync_api import expect

from apps.accounts.models import Role
from tests.browser.visitor import Visitor
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory
from tests.portal.person import Person, code_now

pytestmark = pytest.mark.django_db(transaction=True)


def test_signing_in_with_password_and_code(visitor: Visitor, owner: Person):
    visitor.goto("/account/login/")
    visitor.give_password(owner.user.email)
    expect(visitor.page.get_by_role("heading", name="Enter a code")).to_be_visible()
    assert visitor.unfit() == []
    visitor.give_code(code_now())
    expect(visitor.page).to_have_url(re.compile("/portal/test/$"))
    expect(visitor.page.locator("h1")).to_have_text("Home")
    assert visitor.complaints == []


def test_the_first_sign_in_leads_through_the_set_up_and_is_told_by_mail(visitor: Visitor, live_server):
    user = UserFactory()
    MembershipFactory(account=AccountFactory(), user=user, role=Role.DEVELOPER)
    page = visitor.page
    visitor.goto("/portal/live/keys/")
    visitor.give_password(user.email)

    expect(page.get_by_role("heading", name="Set up two-factor")).to_be_visible()
    assert visitor.unfit() == []
    visitor.set_up_authenticator()

    expect(page.locator(".codes li")).to_have_count(10)
    assert visitor.unfit() == []
    page.get_by_role("link", name="I have saved them").click()
    expect(page).to_have_url(re.compile("/portal/(test|live)/$"))
    assert [message.to for message in mail.outbox] == [[user.email]]
    assert visitor.complaints == []


def test_copying_a_secret(visitor: Visitor, owner: Person):
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.carry_session_of(owner)
    visitor.goto("/portal/test/components/")
    visitor.page.get_by_role("button", name="Copy").first.click()
    expect(visitor.page.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.page.evaluate("navigator.clipboard.readText()").startswith("svc_test_")


def test_choosing_dark_and_switching_to_live(visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    visitor.goto("/portal/test/keys/")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = visitor.page.evaluate(colour)
    visitor.page.locator(".side .side-end summary").click()
    visitor.page.get_by_role("button", name="Dark").locator("visible=true").click()
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert visitor.page.evaluate(colour) != light

    visitor.page.get_by_role("link", name="Live", exact=True).locator("visible=true").click()
    expect(visitor.page).to_have_url(re.compile("/portal/live/keys/$"))
    expect(visitor.page.get_by_role("note")).to_contain_text("Bookings are real")
