"""The door of the back office: one sign-in, and nothing served that we do not use."""

import pytest
from django.contrib.auth import get_user
from django.test import Client

from tests.factories.accounts import UserFactory
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery staple"


def test_nobody_becomes_somebody_else_past_the_sign_in_with_its_second_factor() -> None:
    """Django's own form would take a colleague's password for enough, and as many of them as one likes."""
    colleague, desk = UserFactory(is_staff=True, is_superuser=True), Desk("accounts.view_user")
    answer = desk.post("/admin/login/", {"username": colleague.email, "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert get_user(desk) == desk.user  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["get", "post"])
def test_strangers_are_led_to_the_sign_in_whatever_they_send(client: Client, method: str) -> None:
    person = UserFactory(is_staff=True, is_superuser=True)
    answer = getattr(client, method)("/admin/login/", {"username": person.email, "password": PASSWORD})
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/account/login/")
    assert not get_user(client).is_authenticated  # type: ignore[arg-type]


def test_a_password_is_changed_where_the_tries_are_counted() -> None:
    desk = Desk("accounts.view_user")
    form = {
        "old_password": PASSWORD,
        "new_password1": "eleven violet tugboats",
        "new_password2": "eleven violet tugboats",
    }
    answer = desk.post("/admin/password_change/", form)
    assert (answer.status_code, answer["Location"]) == (302, "/account/password/change/")
    desk.user.refresh_from_db()
    assert desk.user.check_password(PASSWORD)
    assert desk.get("/admin/password_change/done/").status_code == 302


@pytest.mark.parametrize("path", ["autocomplete/", "r/1/1/", "doc/", "admin/logentry/"])
def test_what_we_do_not_use_is_not_served(path: str) -> None:
    assert Desk().get(f"/admin/{path}").status_code == 404
