"""The back office in a browser: the search over all accounts, and a partner's portal read by one of our staff."""

import pytest
from playwright.sync_api import expect

from apps.accounts.models import Role, User
from tests.browser.test_pages import examine
from tests.browser.visitor import Visitor
from tests.factories.accounts import AccountFactory
from tests.portal.person import Person, member_of
from tests.portal.sample_data import add_sample_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_from_a_pasted_id_to_the_partners_own_page(visitor: Visitor, owner: Person) -> None:
    names = add_sample_data(owner.account, owner.user)
    colleague = member_of(AccountFactory(name="Ourselves"), Role.OWNER)
    User.objects.filter(pk=colleague.user.pk).update(is_staff=True, is_superuser=True)
    visitor.carry_session_of(colleague)
    page = visitor.page
    visitor.goto("/admin/")
    page.get_by_label("Find in all accounts").fill(owner.account.pk)
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.get_by_role("heading", name="Aurora Travel")).to_be_visible()
    page.get_by_role("link", name="Read their portal").click()
    page.get_by_label("Reason").fill("Ticket 4711")
    page.get_by_role("button", name="Open the portal").click()
    expect(page.get_by_role("note").filter(has_text="Read-only support access.")).to_be_visible()
    pages = [
        "/portal/test/",
        f"/portal/test/bookings/{names['booking']}/",
        "/portal/test/keys/",
        "/portal/audit/",
    ]
    assert {path: wrong for path in pages if (wrong := examine(visitor, path))} == {}
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_text("You have left the portal of Aurora Travel.")).to_be_visible()
    assert visitor.complaints == []


def test_the_pages_of_staff_are_accessible_and_fit_on_every_screen(visitor: Visitor, owner: Person) -> None:
    names = add_sample_data(owner.account, owner.user)
    User.objects.filter(pk=owner.user.pk).update(is_staff=True, is_superuser=True)
    visitor.carry_session_of(owner)
    pages = [
        "/admin/",
        "/admin/accounts/account/",
        f"/admin/accounts/account/{owner.account.pk}/change/",
        f"/admin/bookings/booking/{names['booking']}/change/",
        "/admin/supplier-overview/",
        "/admin/withheld/",
        "/admin/ledger/staffmovement/add/",
    ]
    assert {path: wrong for path in pages if (wrong := examine(visitor, path))} == {}
    assert visitor.complaints == []
