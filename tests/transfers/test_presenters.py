from decimal import Decimal

import pytest

from apps.suppliers.values import from_json, to_json
from apps.transfers.presenters import degrees, place_json
from apps.transfers.suppliers.base import Place, TransferSearch
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


def test_coordinates_come_back_as_they_were_sent() -> None:
    told = place_json(point("39.5700001", "-0.1"))
    assert (told["latitude"], told["longitude"]) == (39.5700001, -0.1)
    assert degrees(None) is None
    assert degrees(Decimal("0")) == 0.0


@pytest.mark.parametrize("end", [Place("HOTEL", "265", town="Palma"), point("0.0000001", "180")])
def test_a_search_rests_as_json_and_is_the_same_afterwards(end: Place) -> None:
    asked = a_search(end=end, vehicle_class="minivan")
    assert from_json(TransferSearch, to_json(asked)) == asked
