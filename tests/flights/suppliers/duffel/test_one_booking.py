"""Duffel sells one booking a search: the next booking needs a new search."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.bookings.models import Booking
from apps.onboarding.partners import Onboarded
from tests.flights.desk import BALANCE_CENTS, Desk, desk_of, funds, refusal
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.support.supplier_stub import Trouble
from tests.support.threads import all_at_once

GONE = (410, "offer_expired")


def two_offers(desk: Desk) -> list[dict[str, Any]]:
    return [offer for offer in desk.searched()["offers"] if offer["conditions"]["refundable"]][:2]


def held(partner: Onboarded) -> int:
    return funds(partner, "live")[1]


def test_other_offers_of_a_search_that_was_booked_from_are_gone_before_anything_is_held(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    first, other = two_offers(seller)
    assert seller.reprice(other).status == 200
    order = seller.ordered(first)
    reads = len(at_duffel.heard)
    replies = [seller.order(other), seller.reprice(other)]
    assert [refusal(reply) for reply in replies] == [GONE, GONE]
    assert all("one booking a search" in reply.error["message"] for reply in replies)
    assert (len(at_duffel.heard), Booking.objects.count(), held(partner)) == (reads, 1, 0)
    assert seller.ordered(two_offers(seller)[0])["id"] != order["id"]  # another search sells again


def test_a_search_is_taken_while_its_order_is_on_its_way_and_after_it_was_cancelled(
    seller: Desk, at_duffel: DuffelStub
) -> None:
    first, other = two_offers(seller)
    at_duffel.order_status = 202
    at_duffel.unseen = 100
    assert seller.order(first).status in (201, 503)
    assert (Booking.objects.get().status, refusal(seller.order(other))) == ("pending", GONE)
    at_duffel.order_status, at_duffel.unseen = 201, 0
    first, other = two_offers(seller)
    order = seller.ordered(first)
    assert seller.api.post(f"/v1/flights/orders/{order['id']}/cancel").body["status"] == "cancelled"
    assert refusal(seller.order(other)) == GONE


def test_an_order_that_failed_takes_nothing(seller: Desk, at_duffel: DuffelStub, partner: Onboarded) -> None:
    first, other = two_offers(seller)
    status, body = refusal_of("order_not_created")
    at_duffel.trouble("POST", paths.ORDERS, Trouble(accept=False, status=status, body=body))
    assert refusal(seller.order(first)) == (502, "upstream_error")
    at_duffel.calm()
    assert seller.ordered(other)["status"] == "ticketed"
    assert held(partner) == 0


def test_the_same_offer_again_first_answers_for_its_external_reference(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    """It is what a partner sends who lost the first answer."""
    first, _ = two_offers(seller)
    order = seller.order(first, externalReference="ACME-1").body
    again = seller.order(first, externalReference="ACME-1")
    assert (refusal(again), again.error["bookingId"]) == ((409, "conflict"), order["id"])
    assert refusal(seller.order(first)) == GONE  # theirs to refuse
    assert (len(at_duffel.orders), held(partner)) == (1, 0)


def test_what_slips_through_is_refused_by_duffel_and_released(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    """Two orders at the same moment: neither sees the other."""
    first, other = two_offers(seller)
    seller.ordered(first)
    Booking.objects.update(created_at=Booking.objects.get().created_at - timedelta(hours=1))
    before = funds(partner, "live")
    assert refusal(seller.order(other)) == GONE
    assert (len(at_duffel.orders), funds(partner, "live")) == (1, before)
    assert before[0] < BALANCE_CENTS


def test_the_simulator_sells_as_often_as_one_likes_and_bookings_are_not_read(desk: Desk, live: Desk) -> None:
    for buyer in (desk, live):
        first, other = two_offers(buyer)
        buyer.ordered(first)
        with CaptureQueriesContext(connection) as statements:
            assert buyer.reprice(other).status == 200
        assert buyer.ordered(other)["status"] == "ticketed"
        if buyer is desk:
            assert [one["sql"] for one in statements if "bookings_booking" in one["sql"]] == []


@pytest.mark.django_db(transaction=True)
def test_of_two_offers_ordered_at_once_one_is_booked_and_nothing_stays_held(
    at_duffel: DuffelStub, partner: Onboarded
) -> None:
    seller = desk_of(partner.live_secret)
    offers = two_offers(seller)
    replies = all_at_once([partial(seller.order, offer) for offer in offers])
    assert sorted(reply.status for reply in replies) == [201, 410]
    assert (len(at_duffel.orders), held(partner)) == (1, 0)
