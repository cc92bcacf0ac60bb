"""Places: what a user types becomes a destination."""

from tests.examples.stage import Stage
from tests.places.some_places import load_hotels, load_some


def play(stage: Stage) -> None:
    load_some()
    load_hotels("test")
    typed = stage.call(
        "searchPlaces", "typed", "A city in Russian, with a typing mistake", query={"query": "Лисабон"}
    )
    stage.call(
        "searchPlaces",
        "airport",
        "An airport by its code: flights and transfers take its `code`",
        query={"query": "LIS", "types": "airport", "countryCode": "PT", "limit": "1"},
    )
    stage.call(
        "searchPlaces",
        "near",
        "What is near a point on the map",
        query={"near": "48.86,2.3", "types": "city,landmark", "limit": "2"},
    )
    stage.call(
        "searchHotels",
        "place",
        "Hotels in a city that a search for places found",
        destination={"placeId": typed["data"][0]["placeId"]},
        limit=1,
    )
