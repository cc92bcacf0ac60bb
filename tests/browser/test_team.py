"""An invitation, from the owner's page to the new member's first page."""

import re
from urllib.parse import urlsplit

import pytest
from django.core import mail
from playwright.sync_api import expect

from tests.browser.visitor import NARROW, Visitor
from tests.portal.person import Person

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PASSWORD = "eleven violet tugboats"


def test_somebody_new_follows_the_link_in_the_mail(browser, live_server, visitor: Visitor, owner: Person):
    visitor.carry_session_of(owner)
    visitor.goto("/portal/team/")
    visitor.page.get_by_role("link", name="Invite a member").first.click()
    visitor.page.get_by_label("E-mail address").fill("grace")
    visitor.page.get_by_role("button", name="Send the invitation").click()
    expect(visitor.page.get_by_role("alert").get_by_text("is not an e-mail address")).to_be_visible()
    visitor.page.get_by_label("E-mail address").fill("grace@partner.example")
    visitor.page.get_by_role("button", name="Send the invitation").click()
    expect(visitor.page.get_by_text("grace@partner.example is invited")).to_be_visible()
    link = urlsplit(re.search(r"https?://\S+/account/invitation/\S+", mail.outbox[0].body)[0]).path

    with Visitor.arrive(browser, live_server.url) as grace:
        assert (grace.goto(link), grace.faults()) == (200, [])
        grace.page.get_by_label("Your name").fill("Grace Hopper")
        for field in ("Password", "Password (again)"):
            grace.page.get_by_label(field, exact=True).fill(PASSWORD)
        grace.page.get_by_role("button", name="Join").click()
        expect(grace.page.get_by_role("heading", name="Set up two-factor")).to_be_visible()
        grace.set_up_authenticator()
        grace.page.get_by_role("link", name="I have saved them").click()
        expect(grace.page).to_have_url(re.compile("/portal/(test|live)/$"))
        grace.goto("/portal/team/")
        expect(grace.page.get_by_text("Owners of this account invite people")).to_be_visible()
        assert (grace.goto(link), grace.faults(), grace.overflow(NARROW)) == (410, [], 0)
