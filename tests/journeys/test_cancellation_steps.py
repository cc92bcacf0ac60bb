"""What `cancellationSteps` says, from the search to the ledger: at any instant it is what a cancellation then costs."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from apps.bookings.flow.cancellation_quotes import quote_cancellation
from apps.bookings.handlers import cancel_handler_for
from apps.bookings.models import Booking
from apps.bookings.trade_rules import Service
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from tests.flights.desk import Desk
from tests.hotels.front_desk import FrontDesk
from tests.hotels.front_desk import rates as rates_of
from tests.support.api import Api
from tests.transfers import agency

pytestmark = pytest.mark.django_db

Move = Callable[..., None]
INSTANTS = 12
IN_A_MONTH = 40


@pytest.fixture
def partner(db: None) -> Onboarded:
    return agency.a_partner(balance_cents=100_000_000)


@pytest.fixture
def api(partner: Onboarded) -> Api:
    return Api(partner.test_secret)


def hotels(api: Api) -> list[dict[str, Any]]:
    desk = FrontDesk(api)
    stay = {"checkIn": in_days(30), "checkOut": in_days(33), "limit": 3}
    return [
        {"offer": rate, "order": lambda rate=rate: desk.booked(rate), "path": "/v1/hotels/bookings"}
        for rate in rates_of(desk.hotels({"destination": {"city": "Lisbon", "countryCode": "PT"}, **stay}))
    ]


def flights(api: Api) -> list[dict[str, Any]]:
    desk = Desk(api)
    return [
        {"offer": offer, "order": lambda offer=offer: desk.ordered(offer), "path": "/v1/flights/orders"}
        for offer in desk.searched(departureDate=30, returnDate=36, limit=4)["offers"]
    ]


def transfers(api: Api) -> list[dict[str, Any]]:
    def ordered(offer: dict[str, Any]) -> dict[str, Any]:
        reply = agency.order(api, offer["quoteId"])
        assert reply.status == 201, reply.body
        return dict(reply.body)

    found = agency.search(api, outbound=f"{in_days(30)}T10:00:00")["offers"]
    return [
        {"offer": offer, "order": lambda offer=offer: ordered(offer), "path": "/v1/transfers/orders"}
        for offer in found
    ]


def in_days(days: int) -> str:
    return (clock.today() + timedelta(days=days)).isoformat()


@pytest.mark.parametrize("product", [hotels, flights, transfers])
def test_at_any_instant_the_step_in_force_is_what_cancelling_costs(
    api: Api, move_clock: Move, product: Callable[[Api], list[dict[str, Any]]]
) -> None:
    random = Random(product.__name__)
    sold = [one for one in product(api) if one["offer"]["cancellationSteps"] is not None]
    bookings = [(one["order"](), one) for one in sold]
    assert len(bookings) >= 4
    promised = {booking["id"]: booking["cancellationSteps"] for booking, _ in bookings}
    for booking, one in bookings:
        assert costs(booking["cancellationSteps"]) == costs(one["offer"]["cancellationSteps"])
    seen = set()
    moved = 0
    for hours in sorted(random.sample(range(1, 24 * IN_A_MONTH), INSTANTS)):
        move_clock(hours=hours - moved)
        moved = hours
        for booking, one in bookings:
            now = clock.now()
            steps = api.get(f"{one['path']}/{booking['id']}").body["cancellationSteps"]
            assert steps[0]["penaltyCents"] == in_force(promised[booking["id"]], now)
            if service_of(booking).is_over(now):
                assert steps[0]["penaltyCents"] == booking["totalCents"]
            else:
                preview = quote_cancellation(Booking.objects.get(pk=booking["id"])).cost
                assert steps[0]["penaltyCents"] == preview.penalty_cents
            assert steps == [step for step in promised[booking["id"]] if step["from"] >= steps[0]["from"]]
            seen.add(len(steps))
    for booking, one in bookings:
        steps = api.get(f"{one['path']}/{booking['id']}").body["cancellationSteps"]
        reply = api.post(f"{one['path']}/{booking['id']}/cancel", {})
        if service_of(booking).is_over(clock.now()):
            assert (reply.status, reply.error_type) == (409, "conflict")
            continue
        assert reply.status == 200, reply.body
        assert reply.body["cancellation"]["penaltyCents"] == steps[0]["penaltyCents"]
        assert reply.body["cancellationSteps"] == []
    assert len(seen) > 1
    assert check_ledger() == []


def service_of(booking: dict[str, Any]) -> Service:
    stored = Booking.objects.get(pk=booking["id"])
    handler = cancel_handler_for(stored)
    assert handler is not None
    return handler.service(stored)


def costs(steps: list[dict[str, Any]]) -> list[int]:
    return [step["penaltyCents"] for step in steps]


def in_force(steps: list[dict[str, Any]], now: datetime) -> int:
    begun = [step for step in steps if datetime.fromisoformat(step["from"]) <= now]
    return int(begun[-1]["penaltyCents"])


def test_a_search_that_is_answered_again_says_the_same_to_the_byte(api: Api, move_clock: Move) -> None:
    for path, body in (
        ("/v1/hotels/searches", {"destination": {"city": "Lisbon", "countryCode": "PT"}}),
        (
            "/v1/flights/searches",
            {"origin": "LIS", "destination": "BER", "departureDate": in_days(20)},
        ),
        ("/v1/transfers/searches", agency.SEARCH),
    ):
        key = f"the-same-{path.split('/')[2]}"
        first = api.post(path, body, key)
        assert b'"cancellationSteps":[{"from":"' in first.content
        move_clock(minutes=7)
        assert api.post(path, body, key).content == first.content


def test_a_rate_that_is_read_after_a_step_began_says_what_is_in_force_now(api: Api, move_clock: Move) -> None:
    """Its first step began when it came into force, not when it is read."""
    desk = FrontDesk(api)
    stay = {"checkIn": in_days(30), "checkOut": in_days(33)}
    body = {"destination": {"city": "Lisbon", "countryCode": "PT"}, **stay}
    first = next(rate for rate in rates_of(desk.hotels(body)) if len(rate["cancellationSteps"]) > 1)
    begins = datetime.fromisoformat(first["cancellationSteps"][1]["from"])
    move_clock(seconds=(begins - clock.now()).total_seconds() - 300)
    again = next(
        rate
        for rate in rates_of(desk.hotels(body))
        if rate["cancellationSteps"][1:] == first["cancellationSteps"][1:]
    )
    move_clock(minutes=10)
    read = api.get(f"/v1/hotels/rates/{again['rateId']}").body["cancellationSteps"]
    assert read == again["cancellationSteps"][1:]
