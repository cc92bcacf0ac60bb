"""What the other tests do not ask for: each answer must be what its type says."""

from __future__ import annotations

import time
from datetime import timedelta

from travel_partner import TravelPartner, models

from .support import DAY, PATIENCE, Inbox


def test_account_and_health(client: TravelPartner, order: models.FlightOrder) -> None:
    entries = client.account.ledger.list(type="capture", booking_reference=order.reference)
    assert [-entry.amount_cents or entry.held_delta_cents for entry in entries.data]
    assert client.account.ledger.list(limit=1).has_more
    assert [day.product for day in client.account.usage().data]
    assert client.health.get().status == "ok"
    assert "database" in client.health.full().parts
    month = client.account.statements.list().data[0].month
    statement = client.account.statements.get(month)
    assert statement.line_count == len(statement.lines) > 0
    assert client.account.statements.download(month, format="csv").count(b"\r\n") == statement.line_count + 3
    assert client.account.statements.download(month, format="pdf").startswith(b"%PDF")


def test_a_trip(client: TravelPartner) -> None:
    plan = client.esim.plans.list(plan_type="data").data[0]
    order = client.esim.orders.create(plan_id=plan.id, trip_reference="trip-py-1")
    found = client.bookings.list(trip_reference="trip-py-1").data
    assert [(type(one), one.id) for one in found] == [(models.ListedEsimOrder, order.id)]
    assert client.trips.document(trip_reference="trip-py-1").startswith(b"%PDF")


def test_hotels(client: TravelPartner, contact: models.ContactInput) -> None:
    found = client.hotels.search(
        check_in=DAY,
        check_out=DAY + timedelta(days=2),
        rooms=[models.HotelRoomInput(adults=1)],
        destination=models.HotelDestinationInput(city="Lisbon"),
    )
    rate = client.hotels.rates.get(found.hotels[0].rates[0].rate_id)
    guest = models.HotelGuestInput(first_name="Ada", last_name="King", type="adult")
    booking = client.hotels.bookings.create(rate_id=rate.rate_id, guests=[guest], contact=contact)
    assert client.hotels.bookings.get(booking.id) == booking
    assert client.hotels.bookings.list(limit=1).data == [booking]
    page = client.hotels.bookings.document(booking.id, type="voucher", format="html")
    assert b"Ada" in page
    assert client.hotels.bookings.document(booking.id, type="voucher").startswith(b"%PDF")
    assert client.hotels.bookings.cancel(booking.id).status == "cancelled"


def test_flights(
    client: TravelPartner, passenger: models.FlightPassengerInput, contact: models.ContactInput
) -> None:
    offers = client.flights.search(origin="LIS", destination="BER", departure_date=DAY, limit=100).offers
    offer = next(offer for offer in offers if offer.conditions.changeable)
    assert client.flights.offers.reprice(offer.offer_id).previous_total_cents == offer.total_cents
    order = client.flights.orders.create(offer_id=offer.offer_id, passengers=[passenger], contact=contact)
    added = models.FlightSliceInput(origin="LIS", destination="BER", departure_date=DAY + timedelta(days=1))
    found = client.flights.orders.change_options(
        order.id, remove_slice_id=order.slices[0].slice_id, add=added
    )
    changed = client.flights.orders.change(order.id, change_id=found.options[0].change_id)
    assert changed.order.total_cents == found.options[0].new_total_cents
    assert client.flights.orders.list(limit=1).data[0].id == order.id


def test_transfers(client: TravelPartner) -> None:
    found = client.transfers.search(
        from_=models.TransferPlaceInput(type="IATA", code="BCN"),
        to=models.TransferPlaceInput(type="GEO", latitude=41.39, longitude=2.17),
        outbound=f"{DAY}T14:30:00",
        adults=2,
    )
    lead = models.TransferLeadPassengerInput(
        first_name="Ada", last_name="King", email="ada@example.com", phone="+351210000000"
    )
    order = client.transfers.orders.create(quote_id=found.offers[0].quote_id, lead_passenger=lead)
    assert client.transfers.orders.get(order.id).reference == order.reference
    assert client.transfers.orders.list(limit=1).data[0].id == order.id
    assert client.transfers.orders.cancel(order.id).status == "cancelled"


def test_esim(client: TravelPartner) -> None:
    plan = client.esim.plans.list(plan_type="data").data[0]
    assert client.esim.plans.get(plan.id) == plan
    plans = [one.id for one in client.esim.plans.iterate()]
    assert len(set(plans)) == len(plans) > len(client.esim.plans.list().data)
    order = client.esim.orders.create(plan_id=plan.id)
    assert client.esim.orders.get(order.id).plan == order.plan
    assert client.esim.orders.usage(order.id).order_id == order.id


def test_webhooks(client: TravelPartner, inbox: Inbox) -> None:
    made = client.webhooks.endpoints.create(url=inbox.url, events=["booking.confirmed"], description="desk")
    assert client.webhooks.endpoints.get(made.id).description == "desk"
    assert client.webhooks.endpoints.update(made.id, status="disabled").status == "disabled"
    assert client.webhooks.endpoints.update(made.id, status="enabled").status == "enabled"
    sent = client.webhooks.endpoints.test(made.id)
    inbox.next()
    delivery = delivered(client, sent.id)
    assert (delivery.payload["type"], delivery.attempts[0].status_code) == ("webhook.test", 204)
    assert client.webhooks.deliveries.resend(sent.id).id == sent.id
    inbox.next()
    assert [one.id for one in client.webhooks.deliveries.iterate(endpoint_id=made.id)] == [sent.id]
    assert made.id in [one.id for one in client.webhooks.endpoints.iterate()]
    client.webhooks.endpoints.delete(made.id)


def delivered(client: TravelPartner, id: str) -> models.WebhookDeliveryDetail:
    """The delivery, once the service has taken down that it came."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        found = client.webhooks.deliveries.get(id)
        if found.status == "DELIVERED":
            return found
    raise TimeoutError(found.status)


def test_events(client: TravelPartner, order: models.FlightOrder) -> None:
    told = client.events.list(booking_reference=order.reference)
    assert [(event.type, event.sequence) for event in told.data] == [("booking.confirmed", 1)]
    followed = client.events.follow(booking_reference=order.reference, pause=0)
    assert next(followed) == told.data[0]
