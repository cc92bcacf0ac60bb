"""How the stub of LiteAPI describes a hotel: every field that is documented of `GET /data/hotel`, or was seen there."""

from typing import Any

from tests.hotels.suppliers.liteapi.inventory import FACILITIES, Inn

PICTURES = "https://static.stub.example"


def described(inn: Inn) -> dict[str, Any]:
    return {
        "id": inn.id,
        "name": inn.name,
        "hotelDescription": (
            f"<p><strong>{inn.name}</strong> lies in {inn.city} &amp; near the river.</p><p>Quiet rooms.</p>"
        ),
        "hotelImportantInformation": "Guests show an identity card on arrival.",
        "checkinCheckoutTimes": {"checkin": "03:00 PM", "checkinStart": "02:00 PM", "checkout": "11:00 AM"},
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
        "facilities": [{"facilityId": 107, "name": "WiFi available"}],
        "rooms": [room(101, "Superior Garden Double", "m2", 24), room(102, "double room", "sqft", 215)],
        "phone": "+351210000001",
        "fax": "",
        "email": "desk@stub.example",
        "hotelType": "Hotels",
        "hotelTypeId": 204,
        "chain": "Not Available",
        "airportCode": "LIS",
        "rating": 8.7,
        "reviewCount": 412,
        "parking": "yes",
        "groupRoomMin": 5,
        "childAllowed": True,
        "petsAllowed": False,
        "policies": [],
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
        "photos": [],
        "views": [],
    }
