"""Production access: the owner asks, staff approve, the approval lapses."""

from datetime import timedelta

from playwright.sync_api import expect

from apps.accounts.models import Account
from apps.common import clock
from tests.browser.journey.looking import find_nothing_wrong, look_closely
from tests.browser.visitor import Visitor

PURPOSE = "Flights for the members of our club, aurora.example."


def request_production_access(window: Visitor) -> None:
    window.goto("/portal/production-access/")
    find_nothing_wrong(window)
    window.page.get_by_label("What will you sell").fill(
        "Flights for the members of our club, aurora.example."
    )
    window.page.get_by_role("button", name="Request to go live").click()
    expect(window.page.get_by_text("Under review")).to_be_visible()
    look_closely(window)


def see_the_approval(window: Visitor) -> None:
    window.goto("/portal/production-access/")
    expect(window.page.get_by_text("Approved until")).to_be_visible()
    look_closely(window)


def let_the_approval_lapse(account: Account) -> None:
    """Move the end of the approval into the past."""
    Account.objects.filter(pk=account.pk).update(live_approved_until=clock.now() - timedelta(minutes=1))
