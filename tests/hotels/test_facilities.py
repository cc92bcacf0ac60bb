import pytest

from apps.hotels.facilities import FACILITIES, code_of, codes_of
from apps.hotels.suppliers.simulator.catalogue import ALWAYS, FROM_STARS

NAMES = [
    ("Free WiFi", ("wifi",)),
    ("Valet parking", ("valet_parking", "parking")),
    ("Electric vehicle charging station", ("ev_charging",)),
    ("Private parking on site", ("parking",)),
    ("Bicycle parking", ()),
    ("Swimming pool", ("pool",)),
    ("Heated indoor swimming pool", ("indoor_pool", "pool")),
    ("Outdoor pool (seasonal)", ("outdoor_pool", "pool")),
    ("Billiards or pool table", ()),
    ("Carpool", ()),
    ("Fitness centre", ("gym",)),
    ("Spa and wellness centre", ("spa",)),
    ("Snack bar", ()),
    ("Minibar", ()),
    ("Bar/Lounge", ("bar",)),
    ("Barbecue", ("barbecue",)),
    ("Breakfast in the room", ("breakfast",)),
    ("Pets allowed", ("pets_allowed",)),
    ("Pets not allowed", ()),
    ("No parking available", ()),
    ("Airport shuttle (surcharge)", ("airport_shuttle",)),
    ("Shuttle service", ("shuttle",)),
    ("24-hour front desk", ("reception_24h",)),
    ("Facilities for disabled guests", ("wheelchair_accessible",)),
    ("Non-smoking rooms", ("non_smoking_rooms",)),
    ("No smoking on site", ("non_smoking_rooms",)),
    ("Meeting/banquet facilities", ("meeting_rooms",)),
    ("Table tennis", ()),
    ("Kids' club", ("kids_club",)),
    ("Spanish spoken", ()),
    ("", ()),
]


@pytest.mark.parametrize(("name", "codes"), NAMES, ids=[name for name, _ in NAMES])
def test_a_suppliers_name_means_codes_of_ours(name: str, codes: tuple[str, ...]) -> None:
    assert codes_of([name]) == codes
    assert code_of(name) == (codes[0] if codes else None)


def test_every_amenity_of_the_simulator_has_a_code() -> None:
    amenities = {*ALWAYS, *(one for several in FROM_STARS.values() for one in several)}
    unknown = {amenity for amenity in amenities if code_of(amenity) is None}
    assert amenities
    assert unknown == set()


def test_each_code_and_its_english_name_mean_the_code() -> None:
    assert {code: code_of(code) for code in FACILITIES} == {code: code for code in FACILITIES}
    assert {code: code_of(one.name) for code, one in FACILITIES.items()} == {
        code: code for code in FACILITIES
    }


def test_codes_come_once_in_the_order_of_the_names() -> None:
    assert codes_of(["Sauna", "Free Wi-Fi", "WLAN", "Valet parking"]) == (
        "sauna",
        "wifi",
        "valet_parking",
        "parking",
    )
