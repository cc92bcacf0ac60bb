"""A partner's program on the client that openapi-python-client makes."""

import json
import os
import uuid
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
from partner_client import AuthenticatedClient
from partner_client.api.hotels import create_hotel_booking, get_hotel_booking, search_hotels
from partner_client.models import (
    ContactInput,
    ErrorEnvelope,
    HotelBooking,
    HotelBookingRequest,
    HotelDestinationInput,
    HotelGuestInput,
    HotelGuestInputType,
    HotelSearch,
    HotelSearchRequest,
    WebhookBookingConfirmed,
)
from standardwebhooks import Webhook, WebhookVerificationError

DAY = date.today() + timedelta(days=60)


def main() -> None:
    url, key = os.environ["BASE_URL"], os.environ["API_KEY"]
    with AuthenticatedClient(base_url=url, token=key, timeout=httpx.Timeout(60)) as client:
        told = stay(client)
    print(json.dumps({**told, **delivered(json.loads(Path(os.environ["DELIVERY"]).read_text()))}))


def stay(client: AuthenticatedClient) -> dict[str, Any]:
    lisbon = HotelDestinationInput(city="Lisbon", country_code="PT")
    search = HotelSearchRequest(destination=lisbon, check_in=DAY, check_out=DAY + timedelta(days=2))
    found = search_hotels.sync(client=client, body=search, idempotency_key=new_key())
    assert isinstance(found, HotelSearch), found
    rate = found.hotels[0].rates[0]
    wanted = HotelBookingRequest(
        rate_id=rate.rate_id,
        guests=[HotelGuestInput(first_name="Ada", last_name="Byron", type_=HotelGuestInputType.ADULT)],
        contact=ContactInput(email="ada@example.com", phone="+351210000000"),
        external_reference=f"trip-{uuid.uuid4()}",
    )
    key = new_key()
    booking = create_hotel_booking.sync(client=client, body=wanted, idempotency_key=key)
    again = create_hotel_booking.sync(client=client, body=wanted, idempotency_key=key)
    assert isinstance(booking, HotelBooking), booking
    assert isinstance(again, HotelBooking), again
    return {
        "rates": sum(len(hotel.rates) for hotel in found.hotels),
        "booking": {
            "id": booking.id,
            "status": booking.status,
            "asQuoted": booking.total_cents == rate.total_cents,
        },
        "sameKeyGivesSameBooking": again.id == booking.id,
        **refused(client, wanted, key),
    }


def refused(client: AuthenticatedClient, wanted: HotelBookingRequest, key: str) -> dict[str, Any]:
    body = wanted.to_dict()
    other = HotelBookingRequest.from_dict({**body, "specialRequests": "A high floor"})
    wrong = HotelBookingRequest.from_dict({**body, "guests": []})
    reused = create_hotel_booking.sync(client=client, body=other, idempotency_key=key)
    duplicate = create_hotel_booking.sync(client=client, body=wanted, idempotency_key=new_key())
    empty = create_hotel_booking.sync(client=client, body=wrong, idempotency_key=new_key())
    unknown = get_hotel_booking.sync("hbk_unknown", client=client)
    return {
        "keyReused": error_of(reused)["type"],
        "duplicate": {name: error_of(duplicate)[name] for name in ("type", "bookingId")},
        "wrongFields": [detail["field"] for detail in error_of(empty)["details"]],
        "unknown": error_of(unknown)["type"],
    }


def error_of(answer: ErrorEnvelope | HotelBooking | None) -> dict[str, Any]:
    """The typed error, with the members that the document does not name."""
    assert isinstance(answer, ErrorEnvelope), answer
    return answer.error.to_dict()


def delivered(delivery: dict[str, Any]) -> dict[str, Any]:
    webhook = Webhook(delivery["secret"])
    event = WebhookBookingConfirmed.from_dict(webhook.verify(delivery["body"], delivery["headers"]))
    try:
        webhook.verify(delivery["body"].replace("confirmed", "cancelled"), delivery["headers"])
    except WebhookVerificationError:
        return {"event": {"type": event.type_, "bookingId": event.data.booking_id}, "forgedIsRefused": True}
    return {"forgedIsRefused": False}


def new_key() -> str:
    return str(uuid.uuid4())


main()
