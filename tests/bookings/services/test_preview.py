"""What cancelling would cost: asked of the supplier, and nothing else happens."""

from datetime import timedelta
from typing import Any

import pytest

from apps.bookings import handlers
from apps.bookings.flow.cancel import Preview, preview_cancellation
from apps.bookings.handlers import Prepared
from apps.bookings.models import Booking, Operation
from apps.bookings.trade_rules import Service
from apps.common import clock
from apps.common.errors import Conflict, GatewayError, UpstreamError, UpstreamUnavailable
from apps.suppliers.errors import Expired, Unavailable


class Desk:
    """The handler that would cancel. It notes the operations that it is asked about."""

    def __init__(self) -> None:
        self.penalty_cents = 300
        self.ends_at = clock.now() + timedelta(days=1)
        self.error: Exception | None = None
        self.asked: list[Operation] = []

    def prepare(self, operation: Operation) -> Prepared:
        self.asked.append(operation)
        if self.error is not None:
            raise self.error
        return Prepared(0, {"penaltyCents": self.penalty_cents})

    def service(self, booking: Booking) -> Service:
        return Service(self.ends_at, self.ends_at, self.ends_at)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(handlers, "_handlers", {("hotel", "cancel"): desk, ("esim", "cancel"): desk})
    return desk


def booked(product: str = "hotel", status: str = "confirmed") -> Booking:
    return Booking(product=product, status=status, total_cents=1_000, currency="EUR", reference="H-22222222")


@pytest.mark.parametrize(
    ("penalty", "preview"),
    [
        (0, Preview(0, 1_000)),
        (300, Preview(300, 700)),
        (1_000, Preview(1_000, 0)),
    ],
)
def test_penalty_and_refund_are_what_was_paid(desk: Desk, penalty: int, preview: Preview) -> None:
    desk.penalty_cents = penalty
    assert preview_cancellation(booked()) == preview


def test_the_supplier_is_asked_about_this_booking_as_a_cancellation_would_ask(desk: Desk) -> None:
    booking = booked()
    preview_cancellation(booking)
    ((operation, kind, client_ref),) = [(one, one.kind, one.client_ref) for one in desk.asked]
    assert (operation.booking is booking, operation.pk) == (True, None)
    assert (kind, client_ref) == ("cancel", "H-22222222")


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_of_what_does_not_stand_nobody_is_asked(desk: Desk, status: str) -> None:
    with pytest.raises(Conflict, match=f"The booking is {status}."):
        preview_cancellation(booked(status=status))
    assert desk.asked == []


def test_a_service_that_is_over_has_no_price(desk: Desk) -> None:
    desk.ends_at = clock.now()
    with pytest.raises(Conflict, match="The service is over"):
        preview_cancellation(booked())
    assert desk.asked == []


@pytest.mark.parametrize("product", ["esim", "flight"])
def test_what_no_call_cancels_has_no_price(desk: Desk, product: str) -> None:
    """An eSIM, though its supplier may refund it; and what nobody can cancel."""
    with pytest.raises(Conflict, match="cannot be cancelled by a call"):
        preview_cancellation(booked(product))
    assert desk.asked == []


@pytest.mark.parametrize(
    ("error", "refusal"), [(Unavailable(), UpstreamUnavailable), (Expired(), UpstreamError)]
)
def test_without_a_price_the_refusal_is_that_of_a_cancellation(
    desk: Desk, error: Any, refusal: type[GatewayError]
) -> None:
    desk.error = error
    with pytest.raises(refusal) as refused:
        preview_cancellation(booked())
    assert type(refused.value) is refusal
