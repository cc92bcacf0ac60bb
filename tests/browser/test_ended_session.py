"""A form that is sent after the session has ended comes back filled in; and the page for a role that does not suffice."""

import pytest
from playwright.sync_api import expect

from apps.accounts.models import Role
from tests.browser.test_pages import examine
from tests.browser.visitor import Visitor
from tests.portal.person import Person, code_now, member_of

pytestmark = pytest.mark.django_db(transaction=True)
NEW_KEY = "/portal/test/keys/new/"


def test_a_form_comes_back_filled_in_after_the_log_in(visitor: Visitor, owner: Person) -> None:
    visitor.carry_session_of(owner)
    visitor.goto(NEW_KEY)
    page = visitor.page
    page.get_by_label("Name").fill("Web shop")
    visitor.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("Log in to return to the page")).to_be_visible()
    visitor.give_password(owner.user.email)
    visitor.give_code(code_now())
    expect(page.get_by_text("so this form was not sent")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Web shop")


def test_the_page_for_another_role_fits_and_is_accessible(visitor: Visitor, owner: Person) -> None:
    visitor.carry_session_of(member_of(owner.account, Role.VIEWER))
    assert examine(visitor, NEW_KEY, 403) == []


def test_why_one_logs_in_again_is_accessible(visitor: Visitor) -> None:
    assert [examine(visitor, f"/account/login/?ended={why}") for why in ("expired", "unsent")] == [[], []]
