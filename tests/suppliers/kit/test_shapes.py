"""What is known of each supplier's answers is what its stand-in answers, and what the connector reads of them.

Where a stand-in or a connector has changed: `make shapes`, and look at what became of `known.json`.
"""

import json
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.common import clock
from apps.esim.suppliers.registry import esim_supplier
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.drift import Shape, known_file
from tests.suppliers.kit.connectors import CONNECTORS
from tests.suppliers.kit.damage import Damage
from tests.suppliers.kit.scenarios.money import top_up
from tests.suppliers.kit.shapes import answers_of, learned, reads_noted, written
from tests.suppliers.kit.shops import FlightShop, HotelShop, TransferShop
from tests.suppliers.kit.world import World


def travel(world: World) -> None:
    """A calm journey that makes a connector use all that it knows of its supplier."""
    first = world.booked()
    if isinstance(world.shop, FlightShop):
        changed = world.shop.desk.options_of(first)
        world.shop.desk.confirm(first, changed[-1])
        cheaper = world.booked()
        world.damage("change", Damage(end="reset"))
        world.shop.desk.confirm(cheaper, world.shop.desk.options_of(cheaper)[0])
        world.later()
        offer = world.offer()
        services = [{"serviceId": one["serviceId"]} for one in world.shop.services_of(offer)]
        world.book(offer, services=services)
        world.shop.add_bag(world.booked())
    if isinstance(world.shop, TransferShop):
        offer, extras = world.shop.both_ways()
        world.book(offer, extras=extras, inboundFlightNumber="TP1235")
    if isinstance(world.shop, HotelShop):
        world.shop.change(first, world.shop.changes_of(first)[-1])
        unchanged = world.booked()
        world.damage("change", Damage(end="reset", accept=False))
        world.shop.change(unchanged, world.shop.changes_of(unchanged)[0])
        world.later()
    if "pay" in world.bench.steps:
        hold_and_pay(world)
    if world.bench.product == "hotels":
        hotel_supplier("live").learn()
        hotel_supplier("live").properties("PT", since=None, offset=0)
        hotel_supplier("live").standing(clock.today(), clock.today())
    world.pass_time(86_401)
    poll_suppliers()
    world.damage("book", Damage(end="reset"))
    world.book()
    world.later()
    if world.shop.cancels:
        world.cancel(first)
        second = world.booked()
        world.damage("cancel", Damage(end="reset"))
        world.cancel(second)
        world.later()
        third = world.booked()
        world.bench.call_off(third["supplier"]["reference"])
        world.pass_time(86_401)
        poll_suppliers()
    if world.bench.product == "esim":
        made = world.bench.made()[0]
        esim_supplier("live").usage(made.reference, made.answer["data"]["sims"][0]["iccid"])
        if "top_up" in world.bench.steps:
            top_up(world, first["id"], "journey-top-up")
            world.shop.api.get(f"/v1/esim/orders/{first['id']}/instructions")


def hold_and_pay(world: World) -> None:
    """One is paid, one whose payment failed and then was lost is looked up, one is cancelled unpaid."""
    assert isinstance(world.shop, FlightShop)
    stub: Any = world.bench.stub
    paid, lost, cancelled = (world.book(hold=True).body for _ in range(3))
    world.shop.desk.pay(paid)
    stub.payment_ends, stub.failure_reason = "failed", "payment_declined"
    world.shop.desk.pay(lost)
    stub.payment_ends = "succeeded"
    world.damage("pay", Damage(end="reset", accept=False))
    world.shop.desk.pay(lost)
    world.later()
    world.cancel(cancelled)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_what_a_stand_in_answers_is_known(connector: str, world: World, pytestconfig: pytest.Config) -> None:
    with reads_noted(world.bench) as read:
        travel(world)
    path = known_file(world.bench.vendor)
    assert path is not None
    if pytestconfig.getoption("--learn-shapes"):
        path.write_text(written(learned(world.bench, read)))
    known = {call: Shape(fields) for call, fields in json.loads(path.read_text()).items()}
    answers = list(answers_of(world.bench))
    assert len(answers) > 5
    drift = {(call, one) for call, answer in answers for one in known[call].differences(answer)}
    assert drift == set(), "make shapes"
    read_here = {
        (call, field)
        for call, fields in read.items()
        if call in known
        for field in fields
        if field in known[call].fields
    }
    assert {(call, field) for call, field in read_here if not known[call].fields[field].is_read} == set(), (
        "make shapes"
    )
