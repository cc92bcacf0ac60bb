"""Each field of each answer in turn missing, null and of another type: nothing crashes, no money moves wrongly, drift is counted.

A sample in the suite; all of them with `--drift-whole`, in parts: each plays a share of them over few bookings.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.models import Booking
from apps.suppliers.drift import Shape, calls_of
from tests.suppliers.kit.connectors import CONNECTORS
from tests.suppliers.kit.damage import Damage, altered
from tests.suppliers.kit.journey import travel
from tests.suppliers.kit.mutations import Mutation, mutations_of
from tests.suppliers.kit.shapes import pattern_of
from tests.suppliers.kit.shops.flights import FlightShop
from tests.suppliers.kit.verdict import verdict
from tests.suppliers.kit.world import World
from tests.support.forgotten import forget_suppliers

ONE_IN = 97
PARTS = 24


def search(world: World) -> None:
    world.search()


def book(world: World) -> None:
    """Whatever becomes of it is found out at once."""
    world.book()
    world.later()


def look_up(world: World) -> None:
    world.damage("book", Damage(end="reset"))
    world.book()
    world.look()
    world.bench.calm()
    world.later()


def poll(world: World) -> None:
    world.pass_time(86_401)
    poll_suppliers()
    world.bench.calm()


def cancel(world: World) -> None:
    world.cancel(world.booked())
    world.bench.calm()
    world.later()


def look_up_cancellation(world: World) -> None:
    booked = world.booked()
    world.damage("cancel", Damage(end="reset"))
    world.cancel(booked)
    world.look()
    world.bench.calm()
    world.later()


def change(world: World) -> None:
    assert isinstance(world.shop, FlightShop)
    order = world.booked()
    reply = world._kept(world.shop.desk.ask_options(order))
    options = reply.body.get("options") or []
    if options:
        world._kept(world.shop.desk.confirm(order, options[-1]))
    world.bench.calm()
    world.later()


ROUTINES: dict[str, Callable[[World], None]] = {
    "search": search,
    "check": book,
    "book": book,
    "find": look_up,
    "quote": cancel,
    "cancel": cancel,
    "find_cancel": look_up_cancellation,
    "options": change,
    "take_up": change,
    "change": change,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`share`: which mutations a test plays."""
    whole = metafunc.config.getoption("--drift-whole")
    shares = [slice(part, None, PARTS) for part in range(PARTS)] if whole else [slice(0, None, ONE_IN)]
    if "share" in metafunc.fixturenames:
        metafunc.parametrize("share", shares, ids=[f"{share.start}-of-{share.step}" for share in shares])


@pytest.mark.slow
@pytest.mark.parametrize("connector", CONNECTORS)
def test_no_field_is_taken_for_granted(connector: str, world: World, share: slice) -> None:
    """In the suite each call has its turn with a few fields; which ones is a matter of where they stand."""
    travel(world)
    broken: dict[tuple[str, Mutation], list[str]] = {}
    silent: list[tuple[str, Mutation]] = []
    played = 0
    for step in [step for step in ROUTINES if step in world.bench.steps]:
        answer, shape = sample_of(world, step), shape_of(world, step)
        every = list(mutations_of(answer))
        chosen = every[share]
        assert every, step
        silent += [(step, one) for one in chosen if not one.told_by(shape, one(answer))]
        for mutation in chosen:
            if faults := faults_of(world, step, mutation):
                broken[step, mutation] = faults
        played += len(chosen)
    print(f"{connector}: {played} mutations, {len(broken)} broke a promise")
    assert broken == {}
    assert silent == []


def faults_of(world: World, step: str, mutation: Mutation) -> list[str]:
    """The promises that are broken with this mutation and were not before."""
    before = {*verdict(world)}
    world.replies.clear()
    world.damage(step, altered(mutation, times=-1))
    ROUTINES[step](world)
    world.bench.calm()
    world.later()
    forget_suppliers()
    return sorted({*verdict(world)} - before)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_no_field_of_a_read_booking_is_taken_for_granted(connector: str, world: World, share: slice) -> None:
    """As it is polled: whatever is missing, a booking that stands is neither ended nor paid back."""
    world.booked()
    poll(world)
    answer = sample_of(world, "read")
    chosen = list(mutations_of(answer))[share]
    assert chosen or share.start
    shape = shape_of(world, "read")
    money = world.money()
    broken = []
    for mutation in chosen:
        world.damage("read", altered(mutation, times=-1))
        poll(world)
        if (world.money(), Booking.objects.get().status) != (money, world.shop.standing) or world.crashes:
            broken.append((mutation, Booking.objects.get().status, *world.crashes))
            Booking.objects.update(status=world.shop.standing)
            world.crashes.clear()
            money = world.money()
    print(f"{connector} read: {len(chosen)} mutations, {len(broken)} broke a promise")
    assert broken == []
    assert [one for one in chosen if not one.told_by(shape, one(answer))] == []


def sample_of(world: World, step: str) -> Any:
    """An answer of this step, as its handler gave it."""
    answers = [
        body
        for heard, status, body in world.bench.answers
        if world.bench.step_of(heard.method, heard.path, heard.query) == step and 200 <= status < 300
    ]
    return json.loads(json.dumps(answers[0]))


def shape_of(world: World, step: str) -> Shape:
    return calls_of(world.bench.vendor)[pattern_of(world.bench, step)]
