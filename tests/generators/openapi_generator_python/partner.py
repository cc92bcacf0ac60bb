"""A partner's program on the client that openapi-generator makes (`-g python`)."""

import json
import os
import uuid
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from partner_client import (
    ApiClient,
    Configuration,
    ContactInput,
    ErrorEnvelope,
    HotelBooking,
    HotelBookingRequest,
    HotelDestinationInput,
    HotelGuestInput,
    HotelsApi,
    HotelSearchRequest,
    WebhookBookingConfirmed,
)
from partner_client.exceptions import ApiException, BadRequestException, ConflictException, NotFoundException
from standardwebhooks import Webhook, WebhookVerificationError

DAY = date.today() + timedelta(days=60)


def main() -> None:
    configuration = Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
    with ApiClient(configuration) as client:
        told = stay(HotelsApi(client))
    print(json.dumps({**told, **delivered(json.loads(Path(os.environ["DELIVERY"]).read_text()))}))


def stay(hotels: HotelsApi) -> dict[str, Any]:
    lisbon = HotelDestinationInput(city="Lisbon", countryCode="PT")
    search = HotelSearchRequest(destination=lisbon, checkIn=DAY, checkOut=DAY + timedelta(days=2))
    found = hotels.search_hotels(new_key(), hotel_search_request=search)
    rate = found.hotels[0].rates[0]
    wanted = HotelBookingRequest(
        rateId=rate.rate_id,
        guests=[HotelGuestInput(firstName="Ada", lastName="Byron", type="adult")],
        contact=ContactInput(email="ada@example.com", phone="+351210000000"),
        externalReference=f"trip-{uuid.uuid4()}",
    )
    key = new_key()
    booking = hotels.create_hotel_booking(key, wanted)
    again = hotels.create_hotel_booking(key, wanted)
    return {
        "rates": sum(len(hotel.rates) for hotel in found.hotels),
        "booking": {
            "id": booking.id,
            "status": booking.status,
            "asQuoted": booking.total_cents == rate.total_cents,
        },
        "sameKeyGivesSameBooking": again.id == booking.id,
        **refused(hotels, wanted, booking, key),
    }


def refused(
    hotels: HotelsApi, wanted: HotelBookingRequest, booking: HotelBooking, key: str
) -> dict[str, Any]:
    told: dict[str, Any] = {}
    try:
        hotels.create_hotel_booking(key, wanted.model_copy(update={"special_requests": "A high floor"}))
    except ConflictException as reused:
        told["keyReused"] = error_of(reused)["type"]
    try:
        hotels.create_hotel_booking(new_key(), wanted)
    except ConflictException as duplicate:
        told["duplicate"] = {name: error_of(duplicate)[name] for name in ("type", "bookingId")}
    try:
        hotels.create_hotel_booking(new_key(), wanted.model_copy(update={"guests": []}))
    except BadRequestException as wrong:
        told["wrongFields"] = [detail["field"] for detail in error_of(wrong)["details"]]
    try:
        hotels.get_hotel_booking("hbk_unknown")
    except NotFoundException as unknown:
        told["unknown"] = error_of(unknown)["type"]
    return told


def error_of(refusal: ApiException) -> dict[str, Any]:
    """The typed error, with the members that the document does not name."""
    envelope = refusal.data
    assert isinstance(envelope, ErrorEnvelope), refusal
    return envelope.error.to_dict()


def delivered(delivery: dict[str, Any]) -> dict[str, Any]:
    webhook = Webhook(delivery["secret"])
    webhook.verify(delivery["body"], delivery["headers"])
    event = WebhookBookingConfirmed.from_json(delivery["body"])
    assert event is not None
    try:
        webhook.verify(delivery["body"].replace("confirmed", "cancelled"), delivery["headers"])
    except WebhookVerificationError:
        return {"event": {"type": event.type, "bookingId": event.data.booking_id}, "forgedIsRefused": True}
    return {"forgedIsRefused": False}


def new_key() -> str:
    return str(uuid.uuid4())


main()
