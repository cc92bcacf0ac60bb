"""The buttons on a test booking's page that let something happen to it."""

import re

import pytest

from apps.accounts.models import Role
from apps.bookings.models import Booking
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner

pytestmark = pytest.mark.django_db


@pytest.fixture
def goods(account) -> Goods:
    return Goods(api_of_new_partner(account=account, cents=50_000_000))


def page_of(booking) -> str:
    return f"/portal/test/bookings/{booking['id']}/"


def buttons(portal, booking) -> list[str]:
    return re.findall(r'name="what" value="(\w+)"', portal.get(page_of(booking)).content.decode())


def test_each_booking_has_the_buttons_of_its_product_and_state(portal, goods: Goods):
    assert buttons(portal, goods.hotel_booking) == ["supplier_cancels", "supplier_changes"]
    assert buttons(portal, goods.flight_order) == ["supplier_cancels", "airline_moves"]
    assert buttons(portal, goods.transfer_order) == ["supplier_cancels", "supplier_changes", "settles"]
    assert buttons(portal, goods.esim_order) == ["supplier_cancels"]
    pending = goods.call("createHotelBooking", X_Partner_Customer_Ref="sbx_pending").body
    assert buttons(portal, pending) == ["settles", "not_made"]


def test_a_button_lets_it_happen_and_says_so(portal, goods: Goods):
    booking = goods.hotel_booking

    answer = portal.post(f"{page_of(booking)}simulate/", {"what": "supplier_cancels"}, follow=True)

    assert "The supplier has cancelled it." in answer.content.decode()
    assert Booking.objects.get(pk=booking["id"]).status == "cancelled"
    assert buttons(portal, booking) == []


def test_what_cannot_happen_any_more_is_told(portal, goods: Goods):
    booking = goods.hotel_booking
    portal.post(f"{page_of(booking)}simulate/", {"what": "supplier_cancels"})

    answer = portal.post(f"{page_of(booking)}simulate/", {"what": "supplier_changes"}, follow=True)

    assert "The booking is cancelled: this happens to one that stands." in answer.content.decode()


def test_only_developers_see_and_press_them(portal, portal_as, goods: Goods):
    booking = goods.hotel_booking
    assert buttons(portal_as(Role.DEVELOPER), booking) == ["supplier_cancels", "supplier_changes"]
    for role in (Role.VIEWER, Role.FINANCE):
        person = portal_as(role)
        assert buttons(person, booking) == []
        assert person.post(f"{page_of(booking)}simulate/", {"what": "supplier_cancels"}).status_code == 403
    assert portal.post(f"{page_of(booking)}simulate/", {"what": "nonsense"}).status_code == 404
    assert Booking.objects.get().status == "confirmed"


def test_live_bookings_have_none(portal, account):
    live = Goods(api_of_new_partner(account=account, cents=50_000_000, environment="live"))
    page = f"/portal/live/bookings/{live.hotel_booking['id']}/"

    assert 'name="what"' not in portal.get(page).content.decode()
    assert portal.post(f"{page}simulate/", {"what": "supplier_cancels"}).status_code == 404
    assert Booking.objects.get().status == "confirmed"
