"""What partners see of a service: the stand-in sends no field that the table lacks, and what is shown is really read."""

from typing import Any

import pytest

from apps.common import clock
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.content import SERVICE, SHOWN
from apps.transfers.suppliers.hotelbeds.mapping import offers_of
from tests.suppliers.answers import is_read, paths_of, watched
from tests.transfers.suppliers.hotelbeds.stub import HotelbedsStub
from tests.transfers.suppliers.requests import OUTBOUND, a_search

pytestmark = pytest.mark.django_db

TRIP = a_search(inbound=OUTBOUND.replace(day=20))


@pytest.fixture
def services(stub: HotelbedsStub, hotelbeds: HotelbedsTransfers) -> list[dict[str, Any]]:
    stub.net = True
    return hotelbeds.client.availability(TRIP)


def test_the_stand_in_sends_no_field_that_is_not_documented(services: list[dict[str, Any]]) -> None:
    assert services
    assert SERVICE.undocumented(set().union(*map(paths_of, services))) == []


def test_what_is_shown_of_a_service_is_read(services: list[dict[str, Any]]) -> None:
    """Those with the names for an extra that were never seen, and without a net amount, beside the usual ones."""
    other = {
        **services[-1],
        "price": {**services[-1]["price"], "netAmount": None},
        "extras": [{"code": "T06", "name": "Suitcase", "price": 6, "minUnits": 1, "maxUnits": 2}],
        "content": {**services[-1]["content"], "transferDetailInfo": [{"id": "TRFTIME", "name": "50 min."}]},
    }
    check = {"mustCheckPickupTime": True, "url": "https://check.example", "hoursBeforeConsulting": 24}
    looked_up = {**services[0], "pickupInformation": {**services[0]["pickupInformation"]}}
    looked_up["pickupInformation"]["pickup"] = {
        "description": "Bus stop.",
        **dict.fromkeys(("address", "number", "zip", "town"), "Palma"),
        "checkPickup": check,
    }
    seen: set[str] = set()
    offers_of([watched(one, seen) for one in (*services, other, looked_up)], TRIP, clock.now())
    assert [path for path in SHOWN if not is_read(path, seen)] == []
