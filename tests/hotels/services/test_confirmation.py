"""The hotel's own confirmation number, which some give only days after the booking."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from apps.bookings.models import Booking
from apps.bookings.services.polling import poll_suppliers
from apps.common import clock
from apps.hotels.details import StayDetails
from apps.hotels.services.confirmation import keep_confirmation_code
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.locks import is_taken, locked


def code_of(booking: dict[str, Any]) -> str | None:
    return StayDetails.of(Booking.objects.get(pk=booking["id"])).confirmation_code


@pytest.mark.parametrize(
    ("told", "kept"), [("H-4711", "H-4711"), (None, "the first"), ("the first", "the first")]
)
def test_a_number_that_comes_later_is_kept_and_one_that_is_missing_takes_none_away(
    desk: FrontDesk,
    supplier: ScriptedHotels,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
    told: str | None,
    kept: str,
) -> None:
    booking = desk.booked()
    before = Booking.objects.get(pk=booking["id"])
    Booking.objects.filter(pk=before.pk).update(details={**before.details, "confirmation_code": "the first"})
    read = supplier.read_booking

    def giving_a_number(*asked: Any) -> Any:
        return replace(read(*asked), confirmation_code=told)

    monkeypatch.setattr(supplier, "read_booking", giving_a_number)
    move_clock(hours=1, seconds=1)
    assert (poll_suppliers(), code_of(booking)) == (0, kept)
    after = Booking.objects.get(pk=booking["id"])
    assert (after.updated_at > before.updated_at) == (kept != "the first")
    assert {**after.details, "confirmation_code": None} == {**before.details, "confirmation_code": None}


@pytest.mark.django_db(transaction=True)
def test_a_number_is_kept_of_its_own_booking_and_waits_for_nobody_who_refers_to_it(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking, other = desk.booked(), desk.booked()
    stored = Booking.objects.get(pk=booking["id"])
    with locked(Booking.objects.filter(pk=stored.pk), "KEY SHARE"), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        try:
            keep_confirmation_code(stored, "H-4711")
        finally:
            cursor.execute("SET lock_timeout = 0")
    assert code_of(booking) == "H-4711"
    assert code_of(other) != "H-4711"


@pytest.mark.django_db(transaction=True)
def test_nobody_writes_the_booking_between_its_reading_and_its_writing(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = Booking.objects.get(pk=desk.booked()["id"])
    taken: list[bool] = []
    now = clock.now
    with monkeypatch.context() as patched:
        patched.setattr(clock, "now", lambda: taken.append(is_taken(Booking.objects.all())) or now())
        keep_confirmation_code(booking, "H-4711")
    assert taken == [True]
