"""The back office."""

from playwright.sync_api import expect

from apps.accounts.models import Account, User
from tests.browser.journey.going_live import PURPOSE
from tests.browser.journey.looking import find_nothing_wrong, look_closely
from tests.browser.visitor import Visitor
from tests.portal.person import code_now


def approve(window: Visitor, colleague: User, account: Account) -> None:
    """Sign in with password and code, and approve the partner's request from the staff dashboard."""
    page = window.page
    window.goto("/admin/")
    window.give_password(colleague.email)
    window.give_code(code_now())
    expect(page.get_by_role("heading", name="To do")).to_be_visible()
    look_closely(window)
    page.get_by_role("link", name="Requests for live keys").first.click()
    find_nothing_wrong(window)
    page.get_by_role("link", name=account.name).click()
    expect(page.get_by_text(PURPOSE)).to_be_visible()
    look_closely(window)
    page.get_by_role("button", name="Approve for 365 days").click()
    expect(page.get_by_text("Approved. The owners get a mail.")).to_be_visible()
    look_closely(window)
