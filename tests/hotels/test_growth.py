"""A listing costs the same however many bookings there are: it walks one index, sorts nothing and reads no row it does not show.

The long run, with a million of them, is `make bench ARGS=growth`.
"""

import re

import pytest
from django.db import connection

from apps.bookings.models import Booking
from tests.hotels.front_desk import FrontDesk
from tests.support.api import Api
from tests.support.multiply import multiply
from tests.support.plans import deep, plans_of

COUNT = 5_000
LIST = "/v1/hotels/bookings"


@pytest.fixture
def crowded(desk: FrontDesk) -> Api:
    """A partner with thousands of bookings."""
    with connection.cursor() as cursor:
        multiply(cursor, desk.booked()["id"], COUNT)
    return desk.api


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("", "booking_newest_first"),
        ("?status=cancelled", "booking_by_status"),
    ],
)
def test_a_listing_walks_one_index(crowded: Api, query: str, index: str) -> None:
    assert_walks(plans_of(crowded, LIST + query, "bookings_booking"), index)


def test_one_booking_is_found_by_the_index_of_its_reference(crowded: Api) -> None:
    """By way of a bitmap or not: PostgreSQL thinks them as good for one row."""
    (plan,) = plans_of(crowded, f"{LIST}?externalReference=trip-4000", "bookings_booking")
    assert re.search("Index Scan (using|on) booking_by_partners_reference ", plan)
    assert re.findall(r"Seq Scan|Rows Removed by Filter: .*", plan, re.MULTILINE) == []
    assert int(re.search(r"actual rows=(\d+)", plan)[1]) == 1


def test_a_page_deep_down_walks_the_same_index(crowded: Api) -> None:
    row = Booking.objects.get(reference="N-4000")
    cursor = deep(crowded.get(LIST).body["nextCursor"], row.id, row.created_at.isoformat())
    path = f"{LIST}?cursor={cursor}"

    assert crowded.get(path).body["data"][0]["reference"] == "N-4001"
    assert_walks(plans_of(crowded, path, "bookings_booking"), "booking_newest_first")


def assert_walks(plans: list[str], index: str) -> None:
    """One statement: no row that is not shown is read, bar the one before the page and the one that tells of more."""
    (plan,) = plans
    assert f"Index Scan using {index} " in plan
    assert re.findall(r"Seq Scan|Sort|Bitmap|Rows Removed by Filter: (?!1$).*", plan, re.MULTILINE) == []
    assert int(re.search(r"actual rows=(\d+)", plan)[1]) <= 21
