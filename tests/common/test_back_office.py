"""The back office: one sign-in, and every page over sample data shows what it may and links to what is served."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from apps.accounts.invitations import link_of
from apps.accounts.models import Invitation, User
from apps.bookings.models import Booking, Operation
from apps.bookings.travellers import opened
from apps.common.encryption import decrypt
from apps.esim.models import Plan
from apps.keys.models import KeySecret
from apps.webhooks.models import Endpoint
from tests.common.test_hostile_back_office import listing, reader
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.portal.person import set_up_two_factor
from tests.portal.sample_data import add_sample_data
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


HREF = re.compile(r'href="([^"]+)"')
NAMES = {"lastName", "last_name", "email", "phone", "dateOfBirth", "date_of_birth", "documentNumber", "name"}


@pytest.fixture
def sample_data() -> None:
    owner = MembershipFactory(account__name="Aurora Travel")
    set_up_two_factor(owner.user)
    add_sample_data(owner.account, owner.user)


def pages_of_rows() -> Iterator[str]:
    for model, pages in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for row in model._default_manager.all()[:1]:
            yield from (reverse(f"{name}_{view}", args=[row.pk]) for view in ("change", "history"))
        assert pages.has_view_permission


def links_of(desk: Desk, page: str) -> set[str]:
    """The addresses within the back office that a page leads to."""
    answer = desk.get(page)
    if answer.status_code != 200:
        return set()
    found = (unescape(href) for href in HREF.findall(answer.content.decode()))
    inside = {urljoin(page, href) for href in found if not href.startswith(("#", "http"))}
    return {address for address in inside if address.startswith("/admin/")}


def broken(desk: Desk, addresses: Iterable[str]) -> dict[str, int]:
    found = {address: desk.get(address, follow=True).status_code for address in sorted(addresses)}
    return {address: status for address, status in found.items() if status != 200}


def test_every_link_of_a_list_is_served(sample_data: None) -> None:
    """Filters, orders, calendars: what a list offers it takes."""
    desk = Desk()
    lists = [listing(model) for model in admin.site._registry]
    links = {link for page in lists for link in links_of(desk, page)}
    several = sorted(links)[::4]  # most are choices of one filter
    assert broken(desk, several) == {}
    assert sum("?" in link for link in several) > 50


@pytest.mark.slow
def test_every_link_of_a_row_and_of_the_first_page_is_served(sample_data: None) -> None:
    desk = Desk()
    pages = ["/admin/", *pages_of_rows()]
    assert broken(desk, {link for page in pages for link in links_of(desk, page)}) == {}


def travellers(kept: Any) -> Iterator[str]:
    """What a booking keeps of people, wherever in it."""
    if isinstance(kept, dict):
        for name, value in kept.items():
            if name in NAMES and isinstance(value, str) and len(value) > 4:
                yield value
            yield from travellers(value)
    elif isinstance(kept, list):
        for value in kept:
            yield from travellers(value)


def secrets() -> Iterator[str]:
    for endpoint in Endpoint.objects.all():
        for kept in filter(None, (endpoint.secret_encrypted, endpoint.previous_secret_encrypted)):
            yield from (kept, decrypt(kept))
    yield from KeySecret.objects.values_list("digest", flat=True)
    for user in User.objects.all():
        yield from (part for part in user.password.split("$")[1:] if len(part) > 12)
    for authenticator in Authenticator.objects.exclude(data={"secret": ""}):
        yield from (str(value) for value in authenticator.data.values() if len(str(value)) > 5)
    yield from map(link_of, Invitation.objects.all())
    yield from Session.objects.values_list("session_key", flat=True)


@pytest.mark.parametrize("person", [Desk, reader])
def test_no_page_shows_a_secret_or_a_traveller(sample_data: None, person: Any) -> None:
    desk = person()
    User.objects.update(first_name="", last_name="")  # a member of the partner is called as its traveller is
    hidden = {text for text in secrets() if text}
    kept = [
        *map(opened, Booking.objects.all()),
        *Operation.objects.values_list("request", flat=True),
    ]
    people = set(travellers(kept)) - set(Plan.objects.values_list("name", flat=True))
    assert len(hidden) > 10
    assert people >= {"Lovelace", "ada@example.com", "+351210000000"}
    shown: dict[str, list[str]] = {}
    for page in [*map(listing, admin.site._registry), *pages_of_rows()]:
        html = unescape(desk.get(page, follow=True).content.decode())
        found = [text for text in hidden | people if text in html]
        if found:
            shown[page] = found
    assert shown == {}
