"""Duffel's stand-in on a socket, the connector that calls it, and a partner whose live key sells through it."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.onboarding.partners import Onboarded
from tests.flights.desk import Desk, desk_of
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import connector
from tests.support.supplier_stub import serving


@pytest.fixture
def stub() -> Iterator[DuffelStub]:
    with serving(DuffelStub()) as stub:
        yield stub


@pytest.fixture
def duffel(stub: DuffelStub, db: None) -> DuffelFlights:
    return connector(stub)


@pytest.fixture
def at_duffel(db: None) -> Iterator[DuffelStub]:
    """Where live keys buy."""
    with live_keys_at_duffel() as stub:
        yield stub


@pytest.fixture
def seller(partner: Onboarded, at_duffel: DuffelStub) -> Desk:
    """A partner at work with a live key."""
    return desk_of(partner.live_secret)


@pytest.fixture(scope="module")
def no_pauses() -> Any:
    """Reads are sent again at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("apps.suppliers.http.pause_before", lambda retry, headers: 0.0 if retry < 3 else None)
        yield
