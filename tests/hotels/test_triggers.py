"""All six sandbox triggers at the operations that the contract names, and ignored at the others."""

import pytest

from apps.bookings.models import Booking
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import FrontDesk

TRIGGER = "X-Partner-Customer-Ref"
AT_BOOKING = [
    ("sbx_offer_expired", 410, "offer_expired"),
    ("sbx_price_changed", 409, "price_changed"),
    ("sbx_insufficient_funds", 402, "insufficient_funds"),
    ("sbx_payment_failed", 402, "payment_failed"),
    ("sbx_supplier_error", 502, "upstream_error"),
]


@pytest.mark.parametrize(("value", "status", "type"), AT_BOOKING)
def test_a_booking_fails_as_asked_and_keeps_no_money(
    desk: FrontDesk, value: str, status: int, type: str
) -> None:
    reply = desk.book(desk.rate(), X_Partner_Customer_Ref=value)
    assert (reply.status, reply.error_type) == (status, type)
    assert reply.headers["X-Sandbox-Trigger"] == value
    assert desk.balance() == (BALANCE_CENTS, 0)
    assert not Booking.objects.exclude(status="failed").exists()


def test_a_price_change_fails_whatever_the_partner_allows(desk: FrontDesk) -> None:
    rate = desk.rate()
    reply = desk.book(rate, maxTotalCents=10**9, X_Partner_Customer_Ref="sbx_price_changed")
    assert (reply.status, reply.error["previousTotalCents"]) == (409, rate["totalCents"])
    assert reply.error["currentTotalCents"] > rate["totalCents"]


def test_a_trigger_acts_only_once_the_handle_was_found(desk: FrontDesk) -> None:
    reply = desk.book("rate_unknown", X_Partner_Customer_Ref="sbx_payment_failed")
    assert (reply.status, reply.error_type) == (410, "offer_expired")
    assert "X-Sandbox-Trigger" not in reply.headers


def test_a_rate_expires_as_asked(desk: FrontDesk) -> None:
    reply = desk.api.get(
        f"/v1/hotels/rates/{desk.rate()['rateId']}", X_Partner_Customer_Ref="sbx_offer_expired"
    )
    assert (reply.status, reply.error_type) == (410, "offer_expired")
    assert reply.headers["X-Sandbox-Trigger"] == "sbx_offer_expired"


def test_a_search_fails_as_asked_and_is_not_billed(desk: FrontDesk) -> None:
    reply = desk.search({}, X_Partner_Customer_Ref="sbx_supplier_error")
    assert (reply.status, reply.error_type) == (502, "upstream_error")
    assert reply.headers["X-Search-Billable"] == "false"


def test_a_cancellation_fails_as_asked_and_can_be_repeated(desk: FrontDesk) -> None:
    booking = desk.booked()
    reply = desk.cancel(booking, X_Partner_Customer_Ref="sbx_supplier_error")
    assert (reply.status, reply.error_type) == (502, "upstream_error")
    assert desk.read(booking["id"]).body == booking
    assert desk.cancel(booking).body["status"] == "cancelled"
