"""A generated client against the service as it is and as it may become: what it does not know must not harm it."""

import json
import uuid
from collections.abc import Callable
from datetime import date, datetime, timedelta
from types import ModuleType
from typing import Any

import httpx
import pytest

from apps.gateway.openapi import document
from apps.gateway.openapi.keywords import OPEN
from tests.support.own_service import Service

pytestmark = pytest.mark.stack

Import = Callable[[str], ModuleType]
DAY = date.today() + timedelta(days=60)
NEW_VALUE = "of-tomorrow"
NEW_FIELDS = {"newFlag": True, "newObject": {"newNames": ["a"]}}


class Tomorrow(httpx.HTTPTransport):
    """The service as it may be one day: more fields in every object, and other values where enumerations are open."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        content = json.dumps(later(json.loads(response.read()))).encode()
        headers = [
            (name, value)
            for name, value in response.headers.items()
            if name not in {"content-length", "content-encoding"}
        ]
        return httpx.Response(response.status_code, headers=headers, content=content)


def later(value: Any) -> Any:
    if isinstance(value, list):
        return [later(item) for item in value]
    if not isinstance(value, dict):
        return value
    known = {name: NEW_VALUE if is_open(name, item) else later(item) for name, item in value.items()}
    return {**known, **NEW_FIELDS}


def is_open(name: str, value: object) -> bool:
    """Whether a property of this name can have this value in an open enumeration."""
    return any(
        value in schema["properties"].get(name, {}).get(OPEN, ())
        for schema in document()["components"]["schemas"].values()
        if "properties" in schema
    )


class Partner:
    """Calls operations by name: `partner.call("hotels", "search_hotels", body=…)`."""

    def __init__(self, generated: Import, service: Service, transport: httpx.HTTPTransport) -> None:
        self.generated = generated
        self.models = generated("models")
        self.client = generated("client").AuthenticatedClient(
            base_url=service.url,
            token=service.secret,
            timeout=httpx.Timeout(60),
            httpx_args={"transport": transport},
        )

    def call(self, tag: str, operation: str, *ids: str, **arguments: Any) -> Any:
        """The decoded answer of a success."""
        if "body" in arguments:
            arguments["idempotency_key"] = str(uuid.uuid4())
        module = self.generated(f"api.{tag}.{operation}")
        answer = module.sync_detailed(*ids, client=self.client, **arguments)
        assert answer.status_code in {200, 201}, answer.content
        return answer.parsed

    def contact(self) -> Any:
        return self.models.ContactInput(email="ada@example.com", phone="+351210000000")


@pytest.fixture(params=[httpx.HTTPTransport, Tomorrow], ids=["today", "tomorrow"])
def partner(request: pytest.FixtureRequest, generated: Import, service: Service) -> Partner:
    return Partner(generated, service, request.param())


@pytest.fixture
def status(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """What a status reads as: itself today."""
    return lambda value: NEW_VALUE if "tomorrow" in request.node.name else value


def test_it_books_a_hotel(partner: Partner, status: Callable[[str], str]) -> None:
    m = partner.models
    search = partner.call(
        "hotels",
        "search_hotels",
        body=m.HotelSearchRequest(check_in=DAY, check_out=DAY + timedelta(days=2), refundable_only=True),
    )
    rate = search.hotels[0].rates[0]
    guest = m.HotelGuestInput(first_name="Ada", last_name="Lovelace", type_=m.HotelGuestInputType.ADULT)
    booking = partner.call(
        "hotels",
        "create_hotel_booking",
        body=m.HotelBookingRequest(rate_id=rate.rate_id, guests=[guest], contact=partner.contact()),
    )

    assert (booking.status, booking.total_cents) == (status("confirmed"), rate.total_cents)
    assert partner.call("hotels", "get_hotel_booking", booking.id).reference == booking.reference
    assert booking.id in [row.id for row in partner.call("hotels", "list_hotel_bookings").data]


def test_it_orders_a_flight(partner: Partner, status: Callable[[str], str]) -> None:
    m = partner.models
    body = m.FlightSearchRequest(origin="LIS", destination="BER", departure_date=DAY)
    offer = partner.call("flights", "search_flights", body=body).offers[0]
    passenger = m.FlightPassengerInput(
        first_name="Ada",
        last_name="Lovelace",
        date_of_birth=date(1990, 12, 10),
        type_=m.FlightPassengerInputType.ADULT,
    )
    order = partner.call(
        "flights",
        "create_flight_order",
        body=m.FlightOrderRequest(offer_id=offer.offer_id, passengers=[passenger], contact=partner.contact()),
    )

    assert (order.status, order.total_cents) == (status("ticketed"), offer.total_cents)
    assert isinstance(order.slices[0].departure_at, datetime)


def test_it_orders_a_transfer(partner: Partner, status: Callable[[str], str]) -> None:
    m = partner.models
    body = m.TransferSearchRequest(
        from_=m.TransferPlaceInput(type_=m.TransferPlaceInputType.IATA, code="BCN"),
        to=m.TransferPlaceInput(type_=m.TransferPlaceInputType.GEO, latitude=41.39, longitude=2.17),
        outbound=f"{DAY}T14:30:00",
        adults=2,
    )
    quote = partner.call("transfers", "search_transfers", body=body).offers[0]
    lead = m.TransferLeadPassengerInput(
        first_name="Ada", last_name="Lovelace", email="ada@example.com", phone="+351210000000"
    )
    order = partner.call(
        "transfers",
        "create_transfer_order",
        body=m.TransferOrderRequest(quote_id=quote.quote_id, lead_passenger=lead),
    )

    assert (order.status, order.settlement.funds) == (status("confirmed"), status("still_held"))


def test_it_orders_an_esim(partner: Partner, status: Callable[[str], str]) -> None:
    plan = partner.call("esim", "list_esim_plans", country="PT").data[0]
    order = partner.call("esim", "create_esim_order", body=partner.models.EsimOrderRequest(plan_id=plan.id))

    assert (order.status in {status("provisioned"), status("pending")}, order.plan.id) == (True, plan.id)
    assert order.total_cents == plan.price_cents


def test_it_understands_a_refusal(partner: Partner) -> None:
    module = partner.generated("api.hotels.get_hotel_booking")
    refusal = module.sync("hbk_unknown", client=partner.client)

    assert isinstance(refusal, partner.models.ErrorEnvelope)
    assert refusal.error.type_ == "not_found"


def test_tomorrow_has_new_values_and_new_fields_in_it(generated: Import, service: Service) -> None:
    account = Partner(generated, service, Tomorrow()).call("account", "get_account")

    assert (account.status, account.environment) == (NEW_VALUE, NEW_VALUE)
    assert account.additional_properties == NEW_FIELDS
    assert account.balance.additional_properties == NEW_FIELDS
