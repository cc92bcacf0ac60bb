"""Bookings of one trip: `tripReference` on every product, its filter on the lists, and what is refused."""

import pytest

from apps.bookings.models import Booking
from tests.esim.shop import top_up_plans
from tests.support.api import Api
from tests.trips.goods import LISTS, booked, ids

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon", "catalogue")]

TRIP = "Lisbon 2027 ✈ Ada"


@pytest.mark.parametrize("product", LISTS)
def test_bookings_of_a_trip_share_its_reference(api: Api, product: str) -> None:
    first, second = (booked(api, product, tripReference=f"  {TRIP} ").body for _ in range(2))
    other = booked(api, product, tripReference=TRIP.lower()).body
    none = booked(api, product, tripReference=None).body
    path = LISTS[product]
    assert [one["tripReference"] for one in (first, second, other, none)] == [TRIP, TRIP, TRIP.lower(), None]
    assert api.get(f"{path}/{first['id']}").body["tripReference"] == TRIP
    assert ids(api.get(f"{path}?tripReference={TRIP}")) == [second["id"], first["id"]]
    assert ids(api.get(f"{path}?tripReference=lisbon")) == []
    page = api.get(f"{path}?tripReference={TRIP}&limit=1").body
    assert ids(api.get(f"{path}?tripReference={TRIP}&limit=1&cursor={page['nextCursor']}")) == [first["id"]]
    assert api.get(f"{path}?limit=1&cursor={page['nextCursor']}").status == 400


@pytest.mark.parametrize("product", LISTS)
@pytest.mark.parametrize("wrong", ["", "   ", "a\tb", "a\u200bb", "\u202eb", "x" * 65, 7, ["trip"]])
def test_what_is_no_reference_is_refused(api: Api, product: str, wrong: object) -> None:
    reply = booked(api, product, tripReference=wrong)
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error["details"]] == ["tripReference"]
    assert not Booking.objects.exists()


def test_a_top_up_belongs_to_the_trip_of_its_order(api: Api) -> None:
    order = booked(api, "esim", tripReference=TRIP).body
    body = {"planId": top_up_plans(api, order)[0]["id"]}
    top_up = api.post(f"/v1/esim/orders/{order['id']}/topups", body)
    assert (top_up.status, top_up.body["tripReference"]) == (201, TRIP)
