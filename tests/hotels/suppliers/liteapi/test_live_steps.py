"""What the steps of a live booking say is what its cancellation then costs at LiteAPI."""

from collections.abc import Callable
from datetime import datetime

import pytest

from apps.bookings.flow.cancel import preview_cancellation
from apps.bookings.models import Booking
from apps.common import clock
from apps.ledger.consistency import check_ledger
from tests.hotels.front_desk import FrontDesk, in_days
from tests.hotels.suppliers.liteapi.stub import LiteApiStub

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("refundable", "days", "penalties"), [(True, 30, [0, 1, 2]), (True, 1, [1, 2]), (False, 30, [2])]
)
def test_every_step_costs_what_it_says(
    desk: FrontDesk,
    stub: LiteApiStub,
    move_clock: Callable[..., None],
    refundable: bool,
    days: int,
    penalties: list[int],
) -> None:
    """Of the price, in halves. What the cancellation costs is worked out apart from the policy's text, by another clock."""
    rate = desk.rate({"checkIn": in_days(days), "checkOut": in_days(days + 2)}, refundable=refundable)
    booking = desk.booked(rate)
    half = -(-booking["totalCents"] // 2)
    promised = booking["cancellationSteps"]
    assert [min(share * half, booking["totalCents"]) for share in penalties] == [
        step["penaltyCents"] for step in promised
    ]
    for step in promised:
        seconds = (datetime.fromisoformat(step["from"]) - clock.now()).total_seconds()
        move_clock(seconds=max(0.0, seconds) + 1)
        assert desk.read(booking["id"]).body["cancellationSteps"][0] == step
        assert preview_cancellation(Booking.objects.get()).penalty_cents == step["penaltyCents"]
    reply = desk.cancel(booking)
    assert (reply.status, reply.body["cancellationSteps"]) == (200, [])
    assert reply.body["cancellation"]["penaltyCents"] == promised[0]["penaltyCents"]  # of today
    assert check_ledger() == []


def test_with_a_fee_for_the_way_of_paying_it_costs_no_more_than_the_step_says(
    desk: FrontDesk, stub: LiteApiStub
) -> None:
    """Whether that fee comes back is theirs to say: the step counts it as lost."""
    stub.books.fee_percent = 4
    rate = desk.rate(refundable=False)
    booking = desk.booked(rate, maxTotalCents=rate["totalCents"] * 2)
    (step,) = booking["cancellationSteps"]
    assert step["penaltyCents"] == booking["totalCents"]
    assert desk.cancel(booking).body["cancellation"]["penaltyCents"] <= step["penaltyCents"]
