from datetime import datetime
from decimal import Decimal

import pytest

from apps.suppliers.values import from_json, to_json
from apps.transfers.presenters import degrees, local, place_json, policy_json, vehicle_json
from apps.transfers.suppliers.base import Place, PolicyStep, TransferSearch, Vehicle
from tests.transfers.suppliers.requests import a_search, point

UNKNOWN = dict.fromkeys(("code", "name", "address", "town", "country", "zip", "latitude", "longitude"))


def test_an_airport_is_told_with_its_name_where_the_partner_gave_none() -> None:
    assert place_json(Place("IATA", "PMI")) == {
        **UNKNOWN,
        "type": "IATA",
        "code": "PMI",
        "name": "Palma De Mallorca Airport",
        "town": "Palma De Mallorca",
        "country": "ES",
    }
    assert place_json(Place("IATA", "PMI", name="Son Sant Joan"))["name"] == "Son Sant Joan"


def test_a_hotels_code_is_no_airports() -> None:
    assert place_json(Place("HOTEL", "PMI")) == {**UNKNOWN, "type": "HOTEL", "code": "PMI"}


def test_coordinates_come_back_as_they_were_sent() -> None:
    told = place_json(point("39.5700001", "-0.1"))
    assert (told["latitude"], told["longitude"]) == (39.5700001, -0.1)
    assert degrees(None) is None
    assert degrees(Decimal("0")) == 0.0


def test_local_times_have_no_offset() -> None:
    assert local(datetime(2027, 2, 3, 14, 30)) == "2027-02-03T14:30:00"
    assert local(datetime.fromisoformat("2027-02-03T14:30:00+01:00")) == "2027-02-03T14:30:00"


def test_a_supplier_that_does_not_say_leaves_null() -> None:
    vehicle = vehicle_json(Vehicle("economy", "Car", None, None))
    assert vehicle == {"class": "economy", "description": "Car", "maxPassengers": None, "maxBags": None}


def test_policies_tell_when_a_step_begins() -> None:
    begins = datetime.fromisoformat("2027-02-02T14:30:00+01:00")
    assert policy_json((PolicyStep(None, 20), PolicyStep(begins, 100)), "EUR") == [
        {"from": None, "amountCents": 20, "currency": "EUR"},
        {"from": "2027-02-02T13:30:00.000Z", "amountCents": 100, "currency": "EUR"},
    ]


@pytest.mark.parametrize("end", [Place("HOTEL", "265", town="Palma"), point("0.0000001", "180")])
def test_a_search_rests_as_json_and_is_the_same_afterwards(end: Place) -> None:
    asked = a_search(end=end, vehicle_class="minivan")
    assert from_json(TransferSearch, to_json(asked)) == asked
