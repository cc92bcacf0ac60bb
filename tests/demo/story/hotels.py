"""Hotels: search, look at a rate, book it, read it back, find it, cancel it."""

from typing import Any

from tests.demo.partner import tell
from tests.demo.story.plot import CONTACT, Story, days_ahead
from tests.demo.telling import chapter, insist, least, returned, total

BOOKINGS = "/v1/hotels/bookings"
GUEST = {"firstName": "Ada", "lastName": "Byron", "type": "adult"}


def play(story: Story) -> None:
    chapter("Hotels")
    booking = book(story, find_rate(story))
    cancel(story, booking)
    story.hear()


def find_rate(story: Story) -> dict[str, Any]:
    """The cheapest refundable rate of three nights in Lisbon, and what its record and itself say when read again."""
    found = story.partner.post("/v1/hotels/searches", stay(60, nights=3), expect=201)
    hotels = found.body["hotels"]
    rates = [rate for hotel in hotels for rate in hotel["rates"]]
    insist(bool(rates), "no rate in Lisbon")
    tell(found, f"Lisbon, 3 nights: {len(hotels)} hotels, {len(rates)} rates from {least(rates)}")
    again = story.partner.get(f"/v1/hotels/searches/{found.body['id']}")
    insist(again.body == found.body, "the search reads otherwise than it was answered")
    tell(again, "the same record, free of charge")
    refundable = [rate for rate in rates if rate["refundable"]]
    insist(bool(refundable), "no rate is refundable")
    cheapest = min(refundable, key=lambda rate: rate["totalCents"])
    rate = story.partner.get(f"/v1/hotels/rates/{cheapest['rateId']}")
    insist(rate.body["totalCents"] == cheapest["totalCents"], "the rate's price moved between two readings")
    tell(rate, f"{rate.body['hotel']['name']}, {rate.body['roomName']}, {total(rate.body)}")
    return dict(rate.body)


def book(story: Story, rate: dict[str, Any]) -> dict[str, Any]:
    reference = story.reference("hotel")
    made = story.partner.post(BOOKINGS, {**booking_of(rate), "externalReference": reference}, expect=201)
    booking = made.body
    insist(
        (booking["status"], booking["totalCents"]) == ("confirmed", rate["totalCents"]),
        f"not confirmed as quoted: {booking}",
    )
    insist(
        booking["cancellationPolicy"] == rate["cancellationPolicy"], "the policy is not the one of the rate"
    )
    story.booked(booking)
    tell(made, f"{booking['reference']} {booking['status']}, {total(booking)}")
    read = story.partner.get(f"{BOOKINGS}/{booking['id']}")
    insist(read.body == booking, "the booking reads otherwise than it was answered")
    tell(read, f"{booking['reference']} reads as answered")
    listed = story.partner.get(f"{BOOKINGS}?externalReference={reference}")
    insist([row["id"] for row in listed.body["data"]] == [booking["id"]], f"not one booking: {listed.body}")
    tell(listed, "one booking has it")
    return dict(booking)


def cancel(story: Story, booking: dict[str, Any]) -> None:
    """By the policy's steps; had it cost anything, the 409 would have said how much and cancelled nothing."""
    body = {"reason": "plans changed", "maxPenaltyCents": 0}
    done = story.partner.post(f"{BOOKINGS}/{booking['id']}/cancel", body)
    story.cancelled(done.body)
    tell(done, f"{done.body['status']}, {returned(done.body)}")


def new_booking(story: Story) -> tuple[str, dict[str, Any]]:
    """A fresh rate, ready to be booked: the path and the body."""
    found = story.partner.post("/v1/hotels/searches", {**stay(45, nights=1), "limit": 1}, expect=201)
    return BOOKINGS, booking_of(found.body["hotels"][0]["rates"][0])


def stay(ahead: int, *, nights: int) -> dict[str, Any]:
    return {
        "destination": {"city": "Lisbon", "countryCode": "PT"},
        "checkIn": days_ahead(ahead).isoformat(),
        "checkOut": days_ahead(ahead + nights).isoformat(),
        "rooms": [{"adults": 1, "childrenAges": []}],
    }


def booking_of(rate: dict[str, Any]) -> dict[str, Any]:
    return {"rateId": rate["rateId"], "guests": [GUEST], "contact": CONTACT}
