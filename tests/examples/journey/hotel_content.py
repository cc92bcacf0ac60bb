"""The content of hotels: one in German, then the list that has it."""

from tests.examples.stage import Stage

A_HOTEL = "htl_2267057_00"


def play(stage: Stage) -> None:
    hotel = stage.call(
        "getHotelProperty",
        "in-german",
        "A hotel's content, in German",
        id=A_HOTEL,
        query={"language": "de"},
    )
    stage.call(
        "listHotelProperties",
        "of-a-city",
        "The hotels of a city that are in the catalogue",
        query={"city": "Lisbon"},
    )
    stage.call(
        "listHotelProperties",
        "changed-since",
        "Bookings that changed since an instant, oldest change first",
        query={"countryCode": "PT", "updatedSince": hotel["updatedAt"], "limit": "10"},
    )
