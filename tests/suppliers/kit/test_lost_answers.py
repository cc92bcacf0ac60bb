"""Many answers to each kind of write are lost, one after the other and in every way: none is lost for good, none is made twice.

Ten times `--chaos-runs` of each connector and step; five in the suite.
"""

from collections.abc import Callable
from itertools import cycle
from uuid import uuid4

import pytest
from pytest_django import Settings

from apps.bookings.models import Operation, OperationState
from apps.webhooks.models import Event
from tests.suppliers.kit.connectors import CONNECTORS, bench_of
from tests.suppliers.kit.damage import Damage, done_but
from tests.suppliers.kit.scenarios.money import top_up
from tests.suppliers.kit.shops import FlightShop, HotelShop, Offer, TransferShop
from tests.suppliers.kit.verdict import verdict
from tests.suppliers.kit.world import World

IN_THE_SUITE = 5
WAYS = (
    Damage(end="reset"),
    Damage(end="half"),
    Damage(end="reset", accept=False),
    Damage(end="hang"),
    done_but(b"<html>", 504),
)


def lose_a_booking(world: World, damage: Damage) -> None:
    offer = world.offer()
    world.damage("book", damage)
    assert world.book(offer).status == 503


def lose_a_cancellation(world: World, damage: Damage) -> None:
    booked = world.booked()
    world.damage("cancel", damage)
    assert world.cancel(booked).status == 503


def lose_a_change(world: World, damage: Damage) -> None:
    assert isinstance(world.shop, FlightShop | HotelShop)
    order = world.booked()
    option = world.shop.changes_of(order)[-1]
    world.damage("change", damage)
    assert world._kept(world.shop.change(order, option)).status == 503


def lose_a_hold(world: World, damage: Damage) -> None:
    offer = world.offer()
    world.damage("book", damage)
    assert world.book(offer, hold=True).status == 503


def lose_a_payment(world: World, damage: Damage) -> None:
    assert isinstance(world.shop, FlightShop)
    order = world.book(hold=True).body
    world.damage("pay", damage)
    assert world._kept(world.shop.desk.pay(order)).status == 503


def lose_a_booking_with_services(world: World, damage: Damage) -> None:
    assert isinstance(world.shop, FlightShop)
    offer = world.offer()
    chosen = world.shop.services_of(offer)
    with_extras = Offer(offer.handle, offer.cents + sum(one["totalCents"] for one in chosen))
    world.damage("book", damage)
    services = [{"serviceId": one["serviceId"]} for one in chosen]
    assert world.book(with_extras, services=services).status == 503


def lose_a_booking_of_both_ways(world: World, damage: Damage) -> None:
    assert isinstance(world.shop, TransferShop)
    offer, extras = world.shop.both_ways()
    world.damage("book", damage)
    numbers = {"flightNumber": "TP1234", "inboundFlightNumber": "TP1235"}
    assert world.book(offer, extras=extras, **numbers).status == 503


def lose_a_bag(world: World, damage: Damage) -> None:
    assert isinstance(world.shop, FlightShop)
    order = world.booked()
    world.damage("services", damage)
    assert world._kept(world.shop.add_bag(order)).status == 503


def lose_a_top_up(world: World, damage: Damage) -> None:
    order = world.booked()
    world.damage("top_up", damage)
    assert top_up(world, order["id"], f"kit-{uuid4().hex}").status == 503


LOSSES: dict[str, Callable[[World, Damage], None]] = {
    "book": lose_a_booking,
    "cancel": lose_a_cancellation,
    "change": lose_a_change,
    "hold": lose_a_hold,
    "pay": lose_a_payment,
    "services": lose_a_bag,
    "book with services": lose_a_booking_with_services,
    "top_up": lose_a_top_up,
    "book both ways": lose_a_booking_of_both_ways,
}


STEPS = {"hold": "pay", "book with services": "services", "book both ways": "book"}
"""What a connector must have so that this can be lost, where that has another name."""
KINDS = {"top_up": "book", "hold": "book", "book with services": "book", "book both ways": "book"}
OF_PRODUCT = {"book both ways": "transfers"}
"""What the connectors of one product alone can lose."""


def writes() -> list[tuple[str, str]]:
    """Connector and step."""
    found = []
    for connector in CONNECTORS:
        with bench_of(connector) as bench:
            found += [
                (connector, step)
                for step in LOSSES
                if STEPS.get(step, step) in bench.steps
                and OF_PRODUCT.get(step, bench.product) == bench.product
            ]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("connector", "step"), writes())
def test_of_lost_answers_none_is_lost_for_good_and_none_doubled(
    connector: str, step: str, world: World, pytestconfig: pytest.Config, settings: Settings
) -> None:
    settings.MOST_UNPAID_HOLDS = 10_000
    lost = 10 * int(pytestconfig.getoption("--chaos-runs")) or IN_THE_SUITE
    for _, damage in zip(range(lost), cycle(WAYS), strict=False):
        LOSSES[step](world, damage)
    world.later()
    kind = KINDS.get(step, step)
    ended = Operation.objects.filter(kind=kind, state__in=[OperationState.CONFIRMED, OperationState.FAILED])
    assert ended.count() >= lost
    assert verdict(world) == []
    made = len(world.bench.made(step if step in world.bench.steps else "book"))
    print(f"{connector} {step}: {lost} answers lost, {made} made, 0 lost, 0 doubled")


PATHS = {"hotels": "hotels/bookings", "flights": "flights/orders", "transfers": "transfers/orders"}


def cancelling() -> list[str]:
    return [connector for connector, step in writes() if step == "cancel"]


@pytest.mark.slow
@pytest.mark.parametrize("connector", cancelling())
def test_of_lost_answers_to_quoted_cancellations_none_costs_more_and_each_credit_is_told_once(
    connector: str, world: World, pytestconfig: pytest.Config
) -> None:
    """Airlines refund into their own credit; hotels and transfers pay back."""
    lost = 10 * int(pytestconfig.getoption("--chaos-runs")) or IN_THE_SUITE
    product, api = world.bench.product, world.shop.api
    accepted = {"acceptAirlineCredit": True} if product == "flights" else {}
    if product == "flights":
        vars(world.bench.stub)["refund_to"] = "airline_credits"
    quoted: dict[str, int] = {}
    for _, damage in zip(range(lost), cycle(WAYS), strict=False):
        booked = world.booked()
        path = f"/v1/{PATHS[product]}/{booked['id']}"
        quote = world._kept(api.post(f"{path}/cancellation-quote")).body
        quoted[booked["id"]] = quote["penaltyCents"]
        world.damage("cancel", damage)
        body = {"cancellationQuoteId": quote["cancellationQuoteId"], **accepted}
        assert world._kept(api.post(f"{path}/cancel", body)).status == 503
    world.later()
    ended = Operation.objects.filter(
        kind="cancel", state__in=[OperationState.CONFIRMED, OperationState.FAILED]
    )
    assert ended.count() >= lost
    assert verdict(world) == []
    cancelled = [each for each in map(world.read, quoted) if each["status"] == "cancelled"]
    assert cancelled
    for each in cancelled:
        assert each["cancellation"]["penaltyCents"] <= quoted[each["id"]]
        credits_told = Event.objects.filter(booking_id=each["id"], type="airline_credit.issued").count()
        assert credits_told == (1 if product == "flights" else 0)
        assert all(credit["code"] for credit in each.get("airlineCredits", ()))
    print(f"{connector}: {lost} answers lost, {len(cancelled)} cancelled, 0 lost, 0 doubled, 0 charged more")
