"""How the stub of LiteAPI describes a hotel: every field that is documented of `GET /data/hotel`, or was seen there."""

from typing import Any

from tests.hotels.suppliers.liteapi.inventory import FACILITIES, Inn

PICTURES = "https://static.stub.example"


WORDS = {
    "en": (
        "lies in {} &amp; near the river.",
        "Quiet rooms.",
        "Guests show an identity card on arrival.",
        "WiFi available",
    ),
    "de": (
        "liegt in {} am Fluss.",
        "Ruhige Zimmer.",
        "Bei der Ankunft ist ein Ausweis zu zeigen.",
        "WLAN verfügbar",
    ),
}
GARDEN_ROOM = {"de": "Doppelzimmer mit Gartenblick"}
RULES = [
    {"policy_type": "POLICY_CHILDREN", "name": "Children", "description": "Children of any age are allowed."},
    {
        "policy_type": "POLICY_HOTEL_PETS",
        "name": "Pets",
        "description": "<p>Pets are allowed.</p><p>Charges may apply.</p>",
    },
    {"policy_type": "POLICY_HOTEL_INTERNET", "name": "Internet", "description": ""},
]


def listed(inn: Inn) -> dict[str, Any]:
    """As a list has it: every field that is documented of an item of `GET /data/hotels`."""
    return {
        "id": inn.id,
        "name": inn.name,
        "hotelDescription": f"<p>{inn.name}</p>",
        "currency": "EUR",
        "country": inn.country.lower(),
        "city": inn.city,
        "latitude": inn.latitude,
        "longitude": inn.longitude,
        "address": "Rua do Stub 7",
        "zip": "1000-001",
        "main_photo": f"{PICTURES}/{inn.id}/main.jpg",
        "thumbnail": f"{PICTURES}/{inn.id}/main-small.jpg",
        "stars": inn.stars + 0.5,
        "rating": 8.7,
        "reviewCount": 412,
        "hotelTypeId": 204,
        "chainId": 0,
        "chain": "Not Available",
        "facilityIds": [107],
        "rohId": 7,
        "deletedAt": None,
    }


def described(inn: Inn, language: str = "en") -> dict[str, Any]:
    """In English where there are no words of the language: what they answer then is not documented."""
    lies, quiet, card, wifi = WORDS.get(language, WORDS["en"])
    return {
        "id": inn.id,
        "name": inn.name,
        "hotelDescription": f"<p><strong>{inn.name}</strong> {lies.format(inn.city)}</p><p>{quiet}</p>",
        "hotelImportantInformation": f"{card}\r\n\r\nDeposit: EUR 100.",
        "checkinCheckoutTimes": {
            "checkin": "03:00 PM",
            "checkinStart": "02:00 PM",
            "checkin_end": "12:00 AM",
            "checkout": "11:00 AM",
            "instructions": [],
            "special_instructions": "",
        },
        "hotelImages": [
            image(inn, "bath", "Bath", order=3),
            image(inn, "room", "Room", order=2),
            image(inn, "front", "From the street", order=7, first=True),
        ],
        "main_photo": f"{PICTURES}/{inn.id}/main.jpg",
        "thumbnail": f"{PICTURES}/{inn.id}/main-small.jpg",
        "country": inn.country.lower(),
        "city": inn.city,
        "starRating": inn.stars,
        "location": {"latitude": inn.latitude, "longitude": inn.longitude},
        "address": "Rua do Stub 7",
        "zip": "1000-001",
        "hotelFacilities": FACILITIES[inn.id],
        "facilities": [{"facilityId": 107, "name": wifi}, {"facilityId": 5, "name": "Stars to look at"}],
        "rooms": [
            room(101, GARDEN_ROOM.get(language, "Superior Garden Double"), "m2", 24),
            room(102, "double room", "sqft", 215),
        ],
        "phone": "+351210000001",
        "fax": "",
        "email": "desk@stub.example",
        "hotelType": "Hotels",
        "hotelTypeId": 204,
        "chain": "Not Available",
        "airportCode": "LIS",
        "rating": 8.7,
        "reviewCount": 412,
        "parking": "",
        "groupRoomMin": 5,
        "childAllowed": False,
        "petsAllowed": False,
        "policies": [{**rule, "child_allowed": "", "pets_allowed": "", "parking": ""} for rule in RULES],
        "sentiment_analysis": {"pros": ["quiet"], "cons": ["stairs"], "categories": []},
        "sentiment_updated_at": "2026-10-01T00:00:00Z",
    }


def image(inn: Inn, name: str, caption: str, *, order: int, first: bool = False) -> dict[str, Any]:
    url = f"{PICTURES}/{inn.id}/{name}.jpg"
    return {"url": url, "urlHd": url, "caption": caption, "order": order, "defaultImage": first}


def room(number: int, name: str, unit: str, size: int) -> dict[str, Any]:
    return {
        "id": number,
        "roomName": name,
        "description": "<p>A room.</p>",
        "roomSizeSquare": size,
        "roomSizeUnit": unit,
        "hotelId": "1",
        "maxAdults": 2,
        "maxChildren": 1,
        "maxOccupancy": 3,
        "bedTypes": [
            {"quantity": 1, "bedType": "Double bed", "bedSize": "131-150 cm wide"},
            {"quantity": 2, "bedType": "Single bed", "bedSize": "90-130 cm wide"},
        ],
        "bedRelation": "or",
        "roomAmenities": [{"amenitiesId": 1, "name": "Hairdryer", "sort": 1}],
        "photos": [
            photo(number, "bath", main=False),
            {**photo(number, "bed", main=True), "hd_url": ""},
            {"url": "http://not.secure/1.jpg"},
        ],
        "views": [{"view": "Garden view"}],
    }


def photo(number: int, name: str, *, main: bool) -> dict[str, Any]:
    url = f"{PICTURES}/rooms/{number}/{name}.jpg"
    return {
        "url": url,
        "hd_url": url.replace(".jpg", "-hd.jpg"),
        "imageDescription": name.title(),
        "imageClass1": "room",
        "imageClass2": "",
        "failoverPhoto": "",
        "mainPhoto": main,
        "score": 1.5,
        "classId": 1,
        "classOrder": 1,
    }
