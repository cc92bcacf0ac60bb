from __future__ import annotations

import asyncio
import uuid
from datetime import timedelta
from functools import partial

import httpx
import pytest

from travel_partner import AsyncTravelPartner, Clock, TravelPartner, errors, models

from .support import DAY


def test_it_orders_and_cancels_a_flight(
    client: TravelPartner, offer: models.FlightOffer, order: models.FlightOrder
) -> None:
    assert (order.status, order.total_cents) == ("ticketed", offer.total_cents)
    assert client.flights.orders.get(order.id).reference == order.reference
    cancelled = client.flights.orders.cancel(order.id, reason="changed plans")
    assert cancelled.status == "cancelled"
    assert cancelled.cancellation
    assert cancelled.cancellation.reason == "changed plans"


def test_it_books_a_hotel(client: TravelPartner, contact: models.ContactInput) -> None:
    found = client.hotels.search(check_in=DAY, check_out=DAY + timedelta(days=2), refundable_only=True)
    rate = found.hotels[0].rates[0]
    guest = models.HotelGuestInput(first_name="Ada", last_name="Lovelace", type="adult")
    booking = client.hotels.bookings.create(rate_id=rate.rate_id, guests=[guest], contact=contact)

    assert (booking.status, booking.total_cents) == ("confirmed", rate.total_cents)
    assert client.hotels.searches.get(found.id).hotels == found.hotels


def test_it_orders_a_transfer(client: TravelPartner) -> None:
    found = client.transfers.search(
        from_=models.TransferPlaceInput(type="IATA", code="BCN"),
        to=models.TransferPlaceInput(type="GEO", latitude=41.39, longitude=2.17),
        outbound=f"{DAY}T14:30:00",
        adults=2,
    )
    lead = models.TransferLeadPassengerInput(
        first_name="Ada", last_name="Lovelace", email="ada@example.com", phone="+351210000000"
    )
    order = client.transfers.orders.create(quote_id=found.offers[0].quote_id, lead_passenger=lead)
    assert order.settlement.funds == "still_held"


def test_it_orders_an_esim(client: TravelPartner) -> None:
    plan = next(iter(client.esim.plans.iterate(country="PT")))
    order = client.esim.orders.create(plan_id=plan.id)
    assert (order.plan.id, order.total_cents) == (plan.id, plan.price_cents)


def test_it_iterates_over_pages(client: TravelPartner) -> None:
    made = [client.esim.orders.create(plan_id=client.esim.plans.list().data[0].id).id for _ in range(3)]
    found = client.esim.orders.iterate(limit=2)
    assert [next(found).id for _ in made] == made[::-1]


def test_one_key_books_once(
    client: TravelPartner, offer: models.FlightOffer, order: models.FlightOrder
) -> None:
    key = str(uuid.uuid4())
    first, second = (client.flights.orders.cancel(order.id, idempotency_key=key) for _ in range(2))
    assert first == second
    assert client.last_response.replayed


def test_a_lost_answer_books_once(
    contact: models.ContactInput, passenger: models.FlightPassengerInput
) -> None:
    reference = f"ref-{uuid.uuid4()}"
    with TravelPartner(
        http=httpx.Client(transport=LosesTheFirst()), clock=Clock(sleep=lambda _: None)
    ) as client:
        offer = client.flights.search(origin="LIS", destination="BER", departure_date=DAY).offers[0]
        order = client.flights.orders.create(
            offer_id=offer.offer_id, passengers=[passenger], contact=contact, external_reference=reference
        )
        answer = client.last_response
        assert (answer.attempts, answer.replayed) == (2, True)
        assert [one.id for one in client.flights.orders.iterate(external_reference=reference)] == [order.id]


class LosesTheFirst(httpx.HTTPTransport):
    """The service gets the first order and answers it, and the answer is lost."""

    lost = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if self.lost or not request.url.path.endswith("/orders"):
            return response
        response.read()
        self.lost = True
        raise httpx.ReadError("lost", request=request)


def test_a_used_reference_names_its_booking(client: TravelPartner, contact: models.ContactInput) -> None:
    reference = f"ref-{uuid.uuid4()}"
    rate = client.hotels.search(check_in=DAY, check_out=DAY + timedelta(days=2)).hotels[0].rates[0]
    guest = models.HotelGuestInput(first_name="Ada", last_name="Lovelace", type="adult")
    book = partial(client.hotels.bookings.create, rate_id=rate.rate_id, guests=[guest], contact=contact)
    booking = book(external_reference=reference)
    with pytest.raises(errors.ConflictError) as refused:
        book(external_reference=reference)
    assert refused.value.booking_id == booking.id
    assert refused.value.request_id


def test_a_trigger_makes_the_price_change(
    client: TravelPartner,
    offer: models.FlightOffer,
    passenger: models.FlightPassengerInput,
    contact: models.ContactInput,
) -> None:
    with pytest.raises(errors.PriceChangedError) as refused:
        client.flights.orders.create(
            offer_id=offer.offer_id, passengers=[passenger], contact=contact, customer_ref="sbx_price_changed"
        )
    assert refused.value.previous_total_cents == offer.total_cents
    assert refused.value.response.sandbox_trigger == "sbx_price_changed"


def test_a_wrong_request_is_told_by_its_fields(client: TravelPartner) -> None:
    with pytest.raises(errors.InvalidRequestError) as refused:
        client.flights.search(origin="Lisbon", destination="BER", departure_date=DAY)
    assert [detail.field for detail in refused.value.details] == ["origin"]


def test_the_limits_can_be_read(client: TravelPartner) -> None:
    account = client.account.get()
    answer = client.last_response
    assert answer.environment == account.environment == "test"
    assert answer.rate_limit
    assert answer.rate_limit.limit == account.limits.rate.read.limit
    assert answer.search_quota
    assert answer.search_quota.remaining == account.limits.search_quota.remaining


def test_the_service_is_alive(client: TravelPartner) -> None:
    assert client.ping().status == "ok"
    assert client.health.ready().status == "ok"


def test_it_may_be_awaited() -> None:
    async def journey() -> tuple[str, list[str]]:
        async with AsyncTravelPartner() as client:
            plans = [plan.id async for plan in client.esim.plans.iterate(country="PT")]
            order = await client.esim.orders.create(plan_id=plans[0])
            return order.plan.id, plans

    ordered, plans = asyncio.run(journey())
    assert ordered == plans[0]
