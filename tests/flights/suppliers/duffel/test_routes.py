"""The routes of Duffel's test mode on which an offer does not survive, with a live key: nothing is booked, nothing stays held."""

from typing import Any

import pytest

from apps.onboarding.partners import Onboarded
from tests.flights.desk import BALANCE_CENTS, Desk, funds, refusal
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub

GONE = (410, "offer_expired")


def offer_on(desk: Desk, origin: str, destination: str) -> dict[str, Any]:
    return desk.flexible(origin=origin, destination=destination)


@pytest.fixture(autouse=True)
def nothing_is_booked(partner: Onboarded, at_duffel: DuffelStub) -> Any:
    yield
    assert (at_duffel.orders, funds(partner, "live")) == ({}, (BALANCE_CENTS, 0))


def test_lgw_lhr_is_gone_when_it_is_read(seller: Desk, at_duffel: DuffelStub) -> None:
    offer = offer_on(seller, "LGW", "LHR")
    assert [refusal(reply) for reply in (seller.reprice(offer), seller.order(offer))] == [GONE, GONE]
    assert at_duffel.heard_by("POST", paths.ORDERS) == []


def test_lhr_stn_has_another_price_at_each_read(seller: Desk) -> None:
    offer = offer_on(seller, "LHR", "STN")
    for _ in range(2):
        repriced = seller.reprice(offer).body
        assert repriced["priceChanged"] is True
        assert repriced["totalCents"] > repriced["previousTotalCents"] >= offer["totalCents"]
    refused = seller.order(offer)
    assert (refusal(refused), refused.error["currentTotalCents"] > repriced["totalCents"]) == (
        (409, "price_changed"),
        True,
    )


def test_lhr_stn_is_gone_when_it_is_ordered_at_any_price(seller: Desk, at_duffel: DuffelStub) -> None:
    offer = offer_on(seller, "LHR", "STN")
    assert refusal(seller.order(offer, maxTotalCents=2 * offer["totalCents"])) == GONE
    assert len(at_duffel.heard_by("POST", paths.ORDERS)) == 1
