"""Prices: up and down between quote and booking, and at the booking; in other currencies; no prices at all."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from apps.suppliers.models import SupplierAlert
from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.damage import altered, everywhere
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import BALANCE_CENTS, World

SCENARIOS = Subject()
AMOUNT = re.compile(r"amount|price|^total$|commission|net|EUR|USD", re.IGNORECASE)
CURRENCY = re.compile(r"currency", re.IGNORECASE)
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def amounts(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Rewrites what is an amount by its name and by its look."""

    def rewrite(name: str, value: Any) -> Any:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        textual = isinstance(value, str) and NUMBER.fullmatch(value)
        return change(value) if AMOUNT.search(name) and (numeric or textual) else value

    return everywhere(rewrite)


def currencies(other: str) -> Callable[[Any], Any]:
    return everywhere(
        lambda name, value: other if CURRENCY.search(name) and isinstance(value, str) else value
    )


def times(factor: float) -> Callable[[Any], Any]:
    def multiplied(value: Any) -> Any:
        product = round(float(value) * factor, 2)
        return f"{product:.2f}" if isinstance(value, str) else product

    return amounts(multiplied)


@SCENARIOS.scenario("dearer between quote and booking")
def dearer_since(world: World) -> None:
    """409 with today's price, or sold at the price that was shown; never dearer than that."""
    offer = world.offer()
    world.bench.move_prices(110)
    reply = world.book(offer)
    if reply.status != 201:
        assert (reply.status, reply.error_type) == (409, "price_changed"), reply.body
        world.must_be_refused(reply)


@SCENARIOS.scenario("dearer between quote and booking, which the partner allows")
def dearer_and_allowed(world: World) -> None:
    """No more is charged than `maxTotalCents`."""
    offer = world.offer()
    world.bench.move_prices(110)
    reply = world.book(offer, maxTotalCents=offer.cents * 2)
    assert reply.status == 201, reply.body
    assert reply.body["totalCents"] <= offer.cents * 2


@SCENARIOS.scenario("dearer between quote and booking than the partner allows")
def dearer_than_allowed(world: World) -> None:
    offer = world.offer()
    world.bench.move_prices(300)
    reply = world.book(offer, maxTotalCents=offer.cents + 1)
    assert reply.status in (201, 409), reply.body
    if reply.status == 409:
        world.must_be_refused(reply)


@SCENARIOS.scenario("cheaper between quote and booking")
def cheaper_since(world: World) -> None:
    offer = world.offer()
    world.bench.move_prices(80)
    reply = world.book(offer)
    assert reply.status == 201, reply.body
    assert reply.body["totalCents"] <= offer.cents


@SCENARIOS.scenario("sold out between quote and booking")
def sold_out_since(world: World) -> None:
    offer = world.offer()
    world.bench.sell_out()
    reply = world.book(offer)
    assert reply.status in (410, 502), reply.body
    world.must_be_refused(reply)


@SCENARIOS.scenario("dearer at the booking itself", "book")
def dearer_at_booking(world: World) -> None:
    """It stands and is ours: the partner pays what was agreed, and staff are told."""
    offer = world.offer()
    world.damage("book", altered(times(1.5)))
    reply = world.book(offer)
    world.later()
    world.must_stand()
    paid = BALANCE_CENTS - sum(world.money())
    assert paid <= offer.cents, reply.body
    assert SupplierAlert.objects.filter(kind="price_above_quote").exists()


@SCENARIOS.scenario("cheaper at the booking itself", "book")
def cheaper_at_booking(world: World) -> None:
    offer = world.offer()
    world.damage("book", altered(times(0.9)))
    world.book(offer)
    world.later()
    world.must_stand()


@SCENARIOS.scenario("booked in another currency", "book")
def other_currency_at_booking(world: World) -> None:
    """Nobody pays 184.60 EUR as 184.60 JPY."""
    offer = world.offer()
    world.damage("book", altered(currencies("JPY")))
    world.book(offer)
    world.later()
    paid = BALANCE_CENTS - sum(world.money())
    assert paid in (0, offer.cents)


for _step in ("search", "check"):

    @SCENARIOS.scenario(f"another currency at the {_step}", _step)
    def other_currency(world: World, step: str = _step) -> None:
        """Converted at a stored rate, or not for sale: there is no rate for this one."""
        offer = world.offer() if step == "check" else None
        world.damage(step, altered(currencies("XAF"), times=-1))
        if offer is None:
            assert world.search().status in (200, 201, 503)
            return
        world.must_be_refused(world.book(offer))

    for _what, _alter in {
        "negative": amounts(lambda value: f"-{value}" if isinstance(value, str) else -value),
        "zero": amounts(lambda value: "0" if isinstance(value, str) else 0),
        "huge": amounts(lambda value: "9" * 40 if isinstance(value, str) else 10**40),
        "other than text or number": amounts(lambda value: [value]),
    }.items():

        @SCENARIOS.scenario(f"{_what} amounts at the {_step}", _step)
        def strange_amounts(world: World, step: str = _step, alter: Callable[[Any], Any] = _alter) -> None:
            """Nothing is sold for nothing, and nothing crashes."""
            offer = world.offer() if step == "check" else None
            world.damage(step, altered(alter, times=-1))
            if offer is not None:
                reply = world.book(offer)
                assert reply.status in (201, 409, 410, 502, 503), reply.body
                return
            reply = world.search()
            assert reply.status in (200, 201, 503), reply.body
            assert [one for one in _offers(world, reply) if one <= 0] == []


def _offers(world: World, reply: Any) -> list[int]:
    return [one.cents for one in world.shop.offers(reply)] if reply.status < 300 else []


def as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) else value


def as_number(value: Any) -> Any:
    return float(value) if isinstance(value, str) else value


for _name, _change in {"texts": as_text, "numbers": as_number}.items():

    def written_otherwise(world: World, change: Callable[[Any], Any]) -> None:
        """Sold at the same price, or not at all."""
        usual = world.offer()
        for step in ("search", "check", "book", "find", "read"):
            if step in world.bench.steps:
                world.damage(step, altered(amounts(change), times=-1))
        reply = world.search()
        found = _offers(world, reply)
        assert found == [] or usual.cents in found
        world.book(usual)
        world.later()

    SCENARIOS.scenario(f"all amounts are {_name}")(partial(written_otherwise, change=_change))


def can_say_moved(bench: Bench) -> bool:
    return bench.refusal("price moved") is not None


@SCENARIOS.scenario("the supplier says at the booking that the price moved", "book", where=can_say_moved)
def price_moved(world: World) -> None:
    offer = world.offer()
    damage = world.bench.refusal("price moved")
    assert damage is not None
    world.damage("book", damage)
    world.must_be_refused(world.book(offer))
