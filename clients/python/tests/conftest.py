"""Tests against a running service that delivers webhooks to this machine.

TRAVEL_PARTNER_BASE_URL and TRAVEL_PARTNER_API_KEY say where and who. They travel with a release, and use nothing but its package.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from travel_partner import TravelPartner, models

from .support import DAY, Inbox


@pytest.fixture
def client() -> Iterator[TravelPartner]:
    with TravelPartner() as client:
        yield client


@pytest.fixture
def contact() -> models.ContactInput:
    return models.ContactInput(email="ada@example.com", phone="+351210000000")


@pytest.fixture
def passenger() -> models.FlightPassengerInput:
    return models.FlightPassengerInput(
        first_name="Ada", last_name="Lovelace", date_of_birth=date(1990, 12, 10), type="adult"
    )


@pytest.fixture
def offer(client: TravelPartner) -> models.FlightOffer:
    return client.flights.search(origin="LIS", destination="BER", departure_date=DAY).offers[0]


@pytest.fixture
def order(
    client: TravelPartner,
    offer: models.FlightOffer,
    passenger: models.FlightPassengerInput,
    contact: models.ContactInput,
) -> models.FlightOrder:
    return client.flights.orders.create(offer_id=offer.offer_id, passengers=[passenger], contact=contact)


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    running = Inbox()
    yield running
    running.close()
