"""Steps of terms in dollars, for an account in euros: the amounts that its ledger takes."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.models import Booking
from apps.common import clock
from tests.journeys.other_currency.journey import booked
from tests.support.api import Api

pytestmark = pytest.mark.django_db
PATHS = {
    "hotels": "/v1/hotels/bookings",
    "flights": "/v1/flights/orders",
    "transfers": "/v1/transfers/orders",
}


def test_every_step_costs_what_it_says_in_the_accounts_currency(
    journey: Any, api: Api, move_clock: Callable[..., None]
) -> None:
    booking = booked(journey)
    path = f"{PATHS[journey.product]}/{booking.id}"
    steps = api.get(path).body["cancellationSteps"]
    assert {step["currency"] for step in steps} == {"EUR"}
    assert len(steps) > 1
    for step in steps[1:]:
        move_clock(seconds=(datetime.fromisoformat(step["from"]) - clock.now()).total_seconds() + 1)
        assert api.get(path).body["cancellationSteps"][0] == step
        assert quote_cancellation(Booking.objects.get()).cost.penalty_cents == step["penaltyCents"]
    reply = journey.cancel(booking)
    assert reply.body["cancellation"]["penaltyCents"] == steps[-1]["penaltyCents"]
