"""Which of the bookings that stand at a supplier are orphans here."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.hotels.services.orphans import report_orphans
from apps.suppliers.errors import Rejected
from apps.suppliers.models import SupplierAlert
from tests.hotels.front_desk import FrontDesk
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api


@pytest.fixture
def given_up(live: Api, supplier: ScriptedHotels) -> Operation:
    """A booking of a live key that the supplier refused."""
    supplier.raises["book"] = Rejected
    desk = FrontDesk(live)
    assert desk.book(desk.rate()).status == 502
    return Operation.objects.select_related("booking").get()


Stands = Callable[[dict[str, str]], list[tuple[date, date]]]


@pytest.fixture
def stands(supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch) -> Stands:
    """`stands(theirs)`: the supplier has these, its references by ours. Returns the days that it will be asked for."""

    def there(theirs: dict[str, str]) -> list[tuple[date, date]]:
        asked: list[tuple[date, date]] = []
        monkeypatch.setattr(supplier, "standing", lambda *days: asked.append(days) or theirs)
        return asked

    return there


def told() -> list[tuple[str, str, str]]:
    return list(SupplierAlert.objects.values_list("supplier", "kind", "detail"))


def test_what_was_given_up_here_and_stands_there_is_told_to_staff(
    given_up: Operation, stands: Stands
) -> None:
    asked = stands({given_up.client_ref: "S-1", "of-another-deployment": "S-2"})
    assert report_orphans() == 1
    assert told() == [
        ("simulator", "unresolved", f"{given_up.client_ref} was given up here, S-1 stands there")
    ]
    assert asked == [(clock.today() - timedelta(days=3), clock.today())]


def test_what_does_not_stand_there_is_no_orphan(given_up: Operation, stands: Stands) -> None:
    stands({"another": "S-1"})
    assert (report_orphans(), told()) == (0, [])


@pytest.mark.parametrize(
    ("operation", "booking"),
    [
        ({"state": "confirmed"}, {}),
        ({"kind": "cancel"}, {}),
        ({}, {"product": "transfer"}),
        ({}, {"supplier_name": "vendor"}),
    ],
    ids=str,
)
def test_what_is_not_a_failed_booking_with_this_supplier_is_no_orphan(
    given_up: Operation,
    stands: Stands,
    operation: dict[str, Any],
    booking: dict[str, Any],
) -> None:
    stands({given_up.client_ref: "S-1"})
    Operation.objects.filter(pk=given_up.pk).update(**{"state": given_up.state, **operation})
    Booking.objects.filter(pk=given_up.booking_id).update(**{"status": "failed", **booking})
    assert (report_orphans(), told()) == (0, [])
