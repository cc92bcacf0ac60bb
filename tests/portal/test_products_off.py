"""The portal and the documentation of a deployment that sells fewer products."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from apps.accounts.models import Role
from apps.bookings.models import Booking
from apps.docs.guides import GUIDES
from apps.docs.pages import texts
from apps.docs.postman import chapters
from apps.hotels import tasks as hotel_tasks
from apps.keys.models import ApiKey
from apps.keys.scopes import DEFAULT
from tests.bookings.rows import a_booking
from tests.factories.accounts import AccountFactory
from tests.portal.person import member_of
from tests.support.products_off import DEPLOYMENTS, PRODUCTS, sell_all_but

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("product", PRODUCTS)
def test_the_form_of_a_key_offers_the_scopes_of_what_is_sold(product: str, settings: Any) -> None:
    person = member_of(AccountFactory(), Role.OWNER)
    page = "/portal/test/keys/new/"
    assert f'value="{product}:' in person.get(page).content.decode()
    sell_all_but(settings, product)
    shown = person.get(page).content.decode()
    assert f'value="{product}:' not in shown
    assert 'value="account:read" checked' in shown
    answer = person.post(
        page, {"name": "A", "scopes": [f"{product}:book"], "settlement_mode": "partner_merchant"}
    )
    assert "is not one of the available choices" in answer.content.decode()
    assert ApiKey.objects.count() == 0


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_new_partner_gets_the_scopes_of_what_is_sold(product: str, settings: Any) -> None:
    sell_all_but(settings, product)
    call_command("create_partner", "--name=Shop", "--currency=EUR", "--balance-cents=0", "--live")
    scopes = {scope for key in ApiKey.objects.all() for scope in key.scopes}
    assert scopes == {scope for scope in DEFAULT if not scope.startswith(f"{product}:")}


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_the_documentation_has_no_page_of_what_is_not_sold(deployment: str, settings: Any) -> None:
    absent = DEPLOYMENTS[deployment]
    whole = {text.path for text in texts()}
    sell_all_but(settings, *absent)
    shown = {text.path: text.write() for text in texts()}
    gone = {path for path in whole if any(f"/{product}" in path for product in absent)}
    assert gone
    assert set(shown) == whole - gone
    client = Client()
    assert [path for path in sorted(gone) if client.get(path).status_code != 404] == []
    links = {
        (path, product)
        for path, text in shown.items()
        for product in absent
        if f"](/docs/guides/{product})" in text or f"](/docs/reference/{product}" in text
    }
    assert {path for path, _ in links} <= {"/docs/changelog"}
    assert {first for first, _ in ((name.split(" ", 1)[1].lower(), 0) for name, _ in chapters())}.isdisjoint(
        absent
    )


@pytest.mark.parametrize("slug", [guide.slug for guide in GUIDES if not guide.product])
@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_every_other_guide_is_whole(slug: str, deployment: str, settings: Any) -> None:
    sell_all_but(settings, *DEPLOYMENTS[deployment])
    page = Client().get(f"/docs/guides/{slug}")
    assert page.status_code == 200
    shown = page.content.decode()
    assert shown.count("```") == 0
    assert "{%" not in shown


def test_what_was_booked_can_be_looked_for_and_what_is_not_sold_cannot(settings: Any) -> None:
    account = AccountFactory()
    person = member_of(account, Role.OWNER)
    choice = 'href="?product=hotel"'
    assert choice in person.get("/portal/test/bookings/").content.decode()
    sell_all_but(settings, "hotels")
    assert choice not in person.get("/portal/test/bookings/").content.decode()
    assert 'href="?product=hotels"' not in person.get("/portal/test/requests/").content.decode()
    booking = a_booking(
        ApiKey.objects.create(account=account, environment="test", name="A", scopes=["hotels:book"])
    )
    Booking.objects.filter(pk=booking.pk).update(product="hotel")
    assert choice in person.get("/portal/test/bookings/").content.decode()


def test_tasks_of_what_is_not_sold_do_nothing(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(hotel_tasks, "hotel_supplier", asked.append)
    monkeypatch.setattr(hotel_tasks, "report_orphans", lambda: asked.append("orphans"))
    sell_all_but(settings, "hotels")
    assert (hotel_tasks.learn_hotels(), hotel_tasks.look_for_orphans(), asked) == (0, 0, [])
