"""Erasing the travellers of a booking on its page."""

from collections.abc import Callable

import pytest

from apps.accounts.models import Account, AccountAuditEntry, Membership
from apps.bookings.models import Booking
from tests.factories.gateway import api_of_new_partner
from tests.portal.person import Person
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(account: Account) -> FlightShop:
    return FlightShop(api_of_new_partner(account=account, cents=50_000_000))


@pytest.fixture
def ended(shop: FlightShop) -> Booking:
    """A cancelled order, of which nothing is open."""
    order = shop.ordered()
    assert shop.cancel(order["id"]).status == 200
    return Booking.objects.get(pk=order["id"])


def page(booking: Booking) -> str:
    return f"/portal/test/bookings/{booking.pk}/"


def test_an_owner_erases_after_a_question(portal: Person, ended: Booking) -> None:
    booking = ended
    shown = portal.get(page(booking)).content.decode()
    assert "Ada Lovelace" in shown
    assert f"{page(booking)}erase/" in shown
    question = portal.get(f"{page(booking)}erase/").content.decode()
    assert "Erase the travellers?" in question
    assert Booking.objects.get().erased_at is None

    portal.post(f"{page(booking)}erase/", {})
    shown = portal.get(page(booking)).content.decode()
    assert "The travellers are erased." in shown
    assert "Lovelace" not in shown
    assert f"{page(booking)}erase/" not in shown
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_erased")
    assert entry.actor == Membership.objects.get(role="owner").user
    trail = portal.get("/portal/audit/").content.decode()
    assert "erased the travellers of" in trail
    assert booking.reference in trail


def test_a_second_click_says_so(portal: Person, ended: Booking) -> None:
    booking = ended
    for _ in range(2):
        portal.post(f"{page(booking)}erase/", {})
    assert "erased before" in portal.get(page(booking)).content.decode()
    assert AccountAuditEntry.objects.filter(action="bookings.travellers_erased").count() == 1


def test_it_is_not_offered_before_the_journey_is_over(portal: Person, shop: FlightShop) -> None:
    booking = Booking.objects.get(pk=shop.ordered()["id"])
    assert "erase/" not in portal.get(page(booking)).content.decode()
    refused = portal.post(f"{page(booking)}erase/", {})
    assert refused.status_code == 400
    assert "The journey is not over yet" in refused.content.decode()
    assert Booking.objects.get().erased_at is None


@pytest.mark.parametrize("role", ["developer", "finance", "viewer"])
def test_others_are_not_asked(portal_as: Callable[[str], Person], ended: Booking, role: str) -> None:
    booking = ended
    person = portal_as(role)
    assert "erase/" not in person.get(page(booking)).content.decode()
    assert person.post(f"{page(booking)}erase/", {}).status_code == 403
    assert Booking.objects.get().erased_at is None


def test_a_booking_of_others_is_not_found(portal: Person) -> None:
    others = FlightShop(api_of_new_partner(cents=50_000_000)).ordered()
    booking = Booking.objects.get(pk=others["id"])
    assert portal.get(f"{page(booking)}erase/").status_code == 404
    assert portal.post(f"{page(booking)}erase/", {}).status_code == 404
