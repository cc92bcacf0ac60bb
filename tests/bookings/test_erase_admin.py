"""Erasing travellers in the back office."""

from typing import Any

from apps.accounts.models import AccountAuditEntry
from apps.bookings.models import Booking
from tests.support.back_office import Desk
from tests.support.flight_shop import CONTACT, FlightShop

BOOKINGS = "/admin/bookings/booking/"


def address(order: dict[str, Any]) -> str:
    return f"{BOOKINGS}{order['id']}/erase/"


def ended(shop: FlightShop) -> dict[str, Any]:
    order = shop.ordered()
    shop.cancel(order["id"])
    return order


def test_staff_erase_with_the_reference_to_confirm(shop: FlightShop) -> None:
    order, desk = ended(shop), Desk()
    assert address(order) in desk.get(f"{BOOKINGS}{order['id']}/change/").content.decode()
    assert "Erase the travellers" in desk.get(address(order)).content.decode()
    wrong = desk.post(address(order), {"reference": "F-WRONG"})
    assert "That is not its reference." in wrong.content.decode()
    assert shop.read(order["id"])["contact"] == CONTACT
    page = desk.post(address(order), {"reference": order["reference"]}, follow=True).content.decode()
    assert "The travellers are erased." in page
    assert shop.read(order["id"])["redacted"] is True
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_erased")
    assert (entry.actor, entry.actor_label) == (desk.user, "Support")


def test_a_journey_to_come_is_refused(shop: FlightShop) -> None:
    order = shop.ordered()
    page = Desk().post(address(order), {"reference": order["reference"]}, follow=True).content.decode()
    assert "The journey is not over yet" in page
    assert Booking.objects.get().erased_at is None


def test_who_may_only_look_may_not_erase(shop: FlightShop) -> None:
    order = ended(shop)
    desk = Desk("bookings.view_booking")
    assert desk.get(address(order)).status_code == 403
    assert desk.post(address(order), {"reference": order["reference"]}).status_code == 403
    assert Desk().get(f"{BOOKINGS}ford_none/erase/").status_code == 404
    assert Booking.objects.get().erased_at is None
