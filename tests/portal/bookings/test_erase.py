"""Erasing the travellers of a booking on its page."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import Account, AccountAuditEntry
from apps.bookings.models import Booking
from apps.common import clock
from tests.bookings.rows import a_booking
from tests.factories.keys import ApiKeyFactory
from tests.portal.person import Person

pytestmark = pytest.mark.django_db


def flown(account: Account, **columns: Any) -> Booking:
    details = flight(clock.now() - timedelta(days=3))
    return a_booking(ApiKeyFactory(account=account), details=details, **columns)


def flight(at: Any) -> dict[str, Any]:
    leg = {
        "origin": "LIS",
        "destination": "BER",
        "departure_at": at.isoformat(),
        "arrival_at": (at + timedelta(hours=3)).isoformat(),
        "duration_minutes": 180,
        "segments": [],
        "supplier_id": "s",
    }
    return {
        "offer_id": "offer_1",
        "carrier": "TP",
        "carrier_name": "TAP",
        "cabin": "economy",
        "slices": [{"slice_id": "slice_1", "leg": leg}],
        "conditions": {"refundable": True, "changeable": True, "penalty_cents": 0},
        "passengers": [
            {"first_name": "Ada", "last_name": "Lovelace", "date_of_birth": "1990-12-10", "type": "adult"}
        ],
        "email": "ada@example.com",
        "phone": "+351210000000",
    }


def page(booking: Booking) -> str:
    return f"/portal/test/bookings/{booking.pk}/"


def test_an_owner_erases_after_a_question(portal: Person, account: Account) -> None:
    booking = flown(account)
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
    assert entry.actor == portal.user
    trail = portal.get("/portal/audit/").content.decode()
    assert "erased the travellers of" in trail
    assert booking.reference in trail


def test_a_second_click_says_so(portal: Person, account: Account) -> None:
    booking = flown(account)
    for _ in range(2):
        portal.post(f"{page(booking)}erase/", {})
    assert "erased before" in portal.get(page(booking)).content.decode()
    assert AccountAuditEntry.objects.filter(action="bookings.travellers_erased").count() == 1


def test_it_is_not_offered_before_the_journey_is_over(portal: Person, account: Account) -> None:
    booking = a_booking(ApiKeyFactory(account=account), details=flight(clock.now() + timedelta(days=9)))
    assert "erase/" not in portal.get(page(booking)).content.decode()
    refused = portal.post(f"{page(booking)}erase/", {})
    assert refused.status_code == 400
    assert "The journey is not over yet" in refused.content.decode()
    assert Booking.objects.get().erased_at is None


@pytest.mark.parametrize("role", ["developer", "finance", "viewer"])
def test_others_are_not_asked(portal_as: Callable[[str], Person], account: Account, role: str) -> None:
    booking = flown(account)
    person = portal_as(role)
    assert "erase/" not in person.get(page(booking)).content.decode()
    assert person.post(f"{page(booking)}erase/", {}).status_code == 403
    assert Booking.objects.get().erased_at is None


def test_a_booking_of_others_is_not_found(portal: Person) -> None:
    booking = flown(Account.objects.create(name="Another", currency="EUR"))
    assert portal.get(f"{page(booking)}erase/").status_code == 404
    assert portal.post(f"{page(booking)}erase/", {}).status_code == 404
