"""The portal's list of bookings: by the beginning of an id or a reference, with an index."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings.models import Booking
from apps.bookings.selectors import Filters, ids_of_bookings_called, page_of_bookings, selected
from apps.common import clock
from apps.common.ids import new_id
from tests.factories.gateway import api_of_new_partner
from tests.support.flight_shop import FlightShop
from tests.support.plans import explained

pytestmark = pytest.mark.django_db


@pytest.fixture
def booking() -> Booking:
    order = FlightShop(api_of_new_partner(cents=50_000_000)).ordered()
    found = Booking.objects.get(pk=order["id"])
    found.external_reference = "A-7/Lisboa"
    found.save()
    return found


def named(booking: Booking, text: str) -> list[str]:
    page = page_of_bookings(booking.account_id, booking.environment, filters=Filters(text=text))
    return [each.pk for each in page.rows]


def test_the_beginning_of_each_name_finds_the_booking(booking: Booking):
    names = [booking.pk, booking.reference, "A-7/Lisboa"]
    texts = [*(name[:length] for name in names for length in (6, len(name))), names[1].lower(), "A"]
    assert {text: named(booking, text) for text in texts} == {text: [booking.pk] for text in texts}
    for text in (booking.pk[:-1] + "~", "isboa", "a-7", f"{booking.reference}2", "hbk_", "%"):
        assert named(booking, text) == [], text
    assert ids_of_bookings_called(booking.account_id, "test", "A-7") == (booking.pk,)


def test_the_top_up_of_an_esim_is_found_by_the_beginning_of_its_id(booking: Booking):
    booking.pk, booking.reference, booking.external_reference = new_id("etop"), "E-TOPUPAA", None
    booking.save(force_insert=True)
    for text in (booking.pk, booking.pk[:12], booking.pk.upper()):
        assert named(booking, text) == [booking.pk], text


def test_it_finds_none_of_another_account_or_environment(booking: Booking):
    other = api_of_new_partner()
    for account_id, environment in ((booking.account_id, "live"), ("acc_of_another", "test")):
        for text in (booking.pk, booking.reference, "A-7"):
            assert ids_of_bookings_called(account_id, environment, text) == ()
    assert other is not None


def test_a_beginning_is_answered_by_indexes_among_many(booking: Booking):
    copies = []
    for number in range(3_000):
        copy = Booking.objects.get(pk=booking.pk) if not copies else Booking(**plain(copies[0]))
        copy.pk, copy.reference = f"ford_01jd3m8q6w9z5n2b7rxk4t{number:04}", f"F-{number:08}"
        copy.external_reference, copy.created_at = f"trip-{number}", clock.now() - timedelta(minutes=number)
        copies.append(copy)
    Booking.objects.bulk_create(copies)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE bookings_booking")
    for text, index in {
        booking.reference[:8]: "bookings_booking_reference_key",
        booking.pk[:20]: "bookings_booking_pkey",
        "A-7/L": "booking_by_partners_reference",
    }.items():
        with CaptureQueriesContext(connection) as captured:
            assert named(booking, text) == [booking.pk]
        plan = explained(captured.captured_queries[0]["sql"])
        assert (index in plan, "Seq Scan" in plan) == (True, False), plan
        removed = re.findall(r"Rows Removed by Filter: (\d+)", plan)
        assert sum(map(int, removed)) < 100, plan


def plain(booking: Booking) -> dict[str, object]:
    return {field.attname: getattr(booking, field.attname) for field in Booking._meta.concrete_fields}


def test_what_is_counted_is_what_is_listed(booking: Booking):
    for filters, expected in ((Filters(), 1), (Filters(status="failed"), 0), (Filters(product="hotel"), 0)):
        assert selected(booking.account_id, "test", filters).count() == expected
