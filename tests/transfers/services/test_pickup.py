"""What of a pick-up is news."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.bookings.services.polling import poll_suppliers
from apps.transfers.services.pickup import merged
from apps.transfers.suppliers.base import Pickup
from tests.support.api import Api
from tests.transfers.agency import a_company, an_order, read, the_booking

AT, LATER = datetime(2027, 2, 3, 14, 30), datetime(2027, 2, 3, 15)


@pytest.mark.parametrize(
    ("known", "told", "news"),
    [
        (Pickup(AT, "Exit A."), Pickup(AT, "Exit A."), None),
        (Pickup(AT, "Exit A.", "+34"), Pickup(None, ""), None),
        (Pickup(None, "Exit A."), Pickup(AT, ""), Pickup(AT, "Exit A.")),
        (Pickup(AT, "Exit A.", "+34"), Pickup(LATER, "Exit B."), Pickup(LATER, "Exit B.", "+34")),
        (None, Pickup(AT, "Exit A."), None),
    ],
)
def test_what_is_told_takes_the_place_of_what_is_known(
    known: Pickup | None, told: Pickup, news: Pickup | None
) -> None:
    assert merged(known, told) == news


def test_a_pick_up_that_is_moved_after_the_booking_is_shown_from_then_on(
    api: Api, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    company = a_company(monkeypatch)
    order = an_order(api)
    before = the_booking(order["id"])
    reading = company.read_order

    def moved(*asked: Any) -> Any:
        return replace(reading(*asked), pickup=Pickup(LATER, "Exit B."))

    monkeypatch.setattr(company, "read_order", moved)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 0
    after = read(api, order["id"])
    assert (after["pickup"]["at"], after["pickup"]["instructions"]) == ("2027-02-03T15:00:00", "Exit B.")
    assert {**after, "pickup": None, "updatedAt": None} == {**order, "pickup": None, "updatedAt": None}
    assert the_booking(order["id"]).updated_at > before.updated_at
