"""What partners see of a Duffel offer: the stand-in sends no field that the table lacks, and what is shown is really read."""

import pytest

from apps.flights.suppliers.base import Passengers, PrivateFare
from apps.flights.suppliers.duffel import mapping
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.flights.suppliers.duffel.content import OFFER, SHOWN
from tests.flights.suppliers.duffel.selling import AGREED_CODE
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.requests import DEPARTURE, a_search
from tests.suppliers.answers import is_read, paths_of, watched

pytestmark = pytest.mark.django_db


def test_the_stand_in_sends_every_field_that_is_documented_and_no_other(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    duffel.search(a_search(return_date=DEPARTURE, passengers=Passengers(adults=1, children=1)))
    offers = [stub._offer_now(one) for one in stub.offers.values()]
    assert offers
    assert OFFER.undocumented(set().union(*map(paths_of, offers))) == []


def test_what_is_shown_of_an_offer_is_read(stub: DuffelStub, duffel: DuffelFlights) -> None:
    agreement = PrivateFare("ZZ", AGREED_CODE)
    stub.holds = True
    duffel.search(a_search(passengers=Passengers(adults=1, children=1), private_fares=(agreement,)))
    seen: set[str] = set()
    for one in stub.offers.values():
        mapping.offer(watched(stub._offer_now(one), seen), "economy")
    assert [path for path in SHOWN if not is_read(path, seen)] == []
