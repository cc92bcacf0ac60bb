"""Money: prices that move, other currencies, cancellations, changes and top-ups that are lost or cost otherwise."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from apps.bookings.models import Booking
from apps.suppliers.models import SupplierAlert
from tests.esim.shop import top_up_plans
from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.damage import Damage, altered, done_but, everywhere, instead
from tests.suppliers.kit.scenarios.account import knows, refused_for
from tests.suppliers.kit.scenarios.answers import HTML
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.shops import FlightShop, HotelShop
from tests.suppliers.kit.world import BALANCE_CENTS, World
from tests.support.api import Reply

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


LOST_CANCELLATIONS = {
    "hangs": Damage(end="hang"),
    "is reset": Damage(end="reset"),
    "is cut short": Damage(end="half"),
    "is answered with HTML": done_but(HTML),
    "is answered with an empty object": done_but(b"{}"),
    "is answered with nothing": done_but(b""),
    "is answered with 500": done_but(b"", 500),
    "is answered with 504": done_but(b"", 504),
}


def lose_the_cancellation(world: World, damage: Damage) -> None:
    """503; the booking stands here until the look-up has read that it does not stand there."""
    booked = world.booked()
    world.damage("cancel", damage)
    reply = world.cancel(booked)
    assert reply.status in (200, 503), reply.body
    world.later()
    assert world.read(booked["id"])["status"] == "cancelled"


for _name, _damage in LOST_CANCELLATIONS.items():
    SCENARIOS.scenario(f"a cancellation {_name}", "cancel")(partial(lose_the_cancellation, damage=_damage))


@SCENARIOS.scenario("a cancellation never arrives", "cancel")
def never_arrives(world: World) -> None:
    """In the end the booking stands, and is paid for; the partner may cancel again."""
    booked = world.booked()
    world.damage("cancel", Damage(end="reset", accept=False))
    assert world.cancel(booked).status == 503
    world.later()
    assert world.read(booked["id"])["status"] == world.shop.standing
    assert world.cancel(booked).status == 200


@SCENARIOS.scenario("the look-up of a lost cancellation is lost", "cancel", "read")
def look_up_lost(world: World) -> None:
    booked = world.booked()
    world.damage("cancel", Damage(end="reset"))
    assert world.cancel(booked).status == 503
    for step in ("read", "find_cancel"):
        if step in world.bench.steps:
            world.damage(step, Damage(end="reset", times=3))
    world.look()
    world.later()
    assert world.read(booked["id"])["status"] == "cancelled"


@SCENARIOS.scenario(
    "a cancellation is refused in the supplier's own words", "cancel", where=knows("not cancellable")
)  # type: ignore[arg-type]
def not_cancellable(world: World) -> None:
    booked = world.booked()
    refused_for(world, "cancel", "not cancellable")
    assert world.cancel(booked).status == 409
    assert world.read(booked["id"])["status"] == world.shop.standing


@SCENARIOS.scenario("it is cancelled there while we ask what it costs", "cancel")
def meanwhile(world: World) -> None:
    booked = world.booked()
    first = "quote" if "quote" in world.bench.steps else "read"

    def call_off(body: object) -> object:
        world.bench.call_off(world.bench.made()[0].reference)
        return body

    world.damage(first, altered(call_off))
    assert world.cancel(booked).status in (200, 409, 502, 503)
    world.later()
    world.poll()
    world.later()
    assert world.read(booked["id"])["status"] == "cancelled"


REFUNDS = {
    "less comes back than was said": altered(times(0.5)),
    "more comes back than was said": altered(times(2)),
    "what comes back is null": altered(amounts(lambda value: None)),
    "what comes back is negative": altered(
        amounts(lambda value: f"-{value}" if isinstance(value, str) else -value)
    ),
    "what comes back is zero": altered(amounts(lambda value: "0.00" if isinstance(value, str) else 0)),
    "what comes back is in another currency": altered(currencies("USD")),
}


def refund_otherwise(world: World, damage: Damage) -> None:
    """Cancelled at what was agreed or better for the partner; whatever else is for staff."""
    booked = world.booked()
    paid = booked["totalCents"]
    world.damage("cancel", damage)
    assert world.cancel(booked).status in (200, 503)
    world.later()
    cancelled = world.read(booked["id"])
    assert cancelled["status"] == "cancelled"
    told = cancelled["cancellation"]
    assert told["penaltyCents"] + told["refundCents"] == paid
    assert 0 <= told["penaltyCents"] <= paid


for _name, _damage in REFUNDS.items():
    SCENARIOS.scenario(f"at a cancellation {_name}", "cancel")(partial(refund_otherwise, damage=_damage))


for _step in ("read", "quote"):

    @SCENARIOS.scenario(f"the {_step} before a cancellation is lost", "cancel", _step)
    def first_step_lost(world: World, step: str = _step) -> None:
        """Nothing was cancelled for certain."""
        booked = world.booked()
        world.damage(step, Damage(end="reset", accept=False, times=3))
        reply = world.cancel(booked, "first-step-lost")
        assert reply.status in (200, 503), reply.body
        world.bench.calm()
        world.pass_time(15)
        if reply.status == 503:
            world.later()
            assert world.cancel(booked).status == 200


@SCENARIOS.scenario("what cancelling costs is told in another currency", "cancel", "read")
def cost_in_another_currency(world: World) -> None:
    """Nobody pays a penalty of 106.20 EUR as 106 JPY: nothing is cancelled at a cost that says nothing."""
    booked = world.booked()
    for step in {"read", "quote"} & world.bench.steps.keys():
        world.damage(step, altered(currencies("JPY"), times=-1))
    assert world.cancel(booked).status in (409, 502, 503)
    world.bench.calm()
    assert world.read(booked["id"])["status"] == world.shop.standing
    assert world.cancel(booked).status == 200


LOST_CHANGES = {
    "hangs": Damage(end="hang"),
    "is reset": Damage(end="reset"),
    "is cut short": Damage(end="half"),
    "is answered with HTML": done_but(HTML),
    "is answered with 502": done_but(b"", 502),
}


def lose_the_change(world: World, damage: Damage, place: int) -> None:
    """`place`: among the options, the cheapest first. The first of a flight gives money back."""
    assert isinstance(world.shop, FlightShop | HotelShop)
    order = world.booked()
    option = world.shop.changes_of(order)[place]
    world.damage("change", damage)
    reply = world._kept(world.shop.change(order, option))
    assert reply.status in (200, 503), reply.body
    world.later()
    changed = world.read(order["id"])
    assert changed["totalCents"] == order["totalCents"] + (option["differenceCents"] if damage.accept else 0)


for _name, _damage in LOST_CHANGES.items():
    SCENARIOS.scenario(f"a dearer change {_name}", "change")(
        partial(lose_the_change, damage=_damage, place=-1)
    )
    SCENARIOS.scenario(f"a cheaper change {_name}", "change")(
        partial(lose_the_change, damage=_damage, place=0)
    )
SCENARIOS.scenario("a change never arrives", "change")(
    partial(lose_the_change, damage=Damage(end="reset", accept=False), place=-1)
)


@SCENARIOS.scenario("changes are priced in another currency", "options", "read")
def changes_in_another_currency(world: World) -> None:
    """There is no rate for it: nobody pays 125.00 EUR as 125 JPY."""
    assert isinstance(world.shop, FlightShop)
    order = world.booked()
    for step in ("options", "read"):
        world.damage(step, altered(currencies("JPY"), times=-1))
    assert world.shop.desk.options_of(order) == []


LOST_TOP_UPS = {
    "hangs": Damage(end="hang"),
    "is reset": Damage(end="reset"),
    "is cut short": Damage(end="half"),
    "is answered with HTML": done_but(HTML),
    "is answered with 500": done_but(b"", 500),
    "never arrives": Damage(end="reset", accept=False),
}
REFUSED = {str(status): instead(status, b"") for status in (400, 403, 429, 503)}


def top_up(world: World, order_id: str, key: str) -> Reply:
    plan = top_up_plans(world.shop.api, {"id": order_id})[0]
    body = {"planId": plan["id"]}
    world.most[key] = max([*world.most.values(), plan["priceCents"]])
    return world._kept(world.shop.api.post(f"/v1/esim/orders/{order_id}/topups", body, key))


def lose_the_top_up(world: World, damage: Damage) -> None:
    order = world.booked()
    world.damage("top_up", damage)
    reply = top_up(world, order["id"], "lost-top-up-key")
    assert reply.status == 503, reply.body
    held = world.money()[1]
    assert held > 0
    world.later()
    made = Booking.objects.exclude(pk=order["id"]).get()
    assert made.status == ("provisioned" if damage.accept else "failed")
    spent = BALANCE_CENTS - order["totalCents"] - (held if damage.accept else 0)
    assert world.money() == (spent, 0)


def refuse_the_top_up(world: World, damage: Damage) -> None:
    order = world.booked()
    world.damage("top_up", damage)
    assert top_up(world, order["id"], "refused-top-up").status in (409, 410, 502, 503)
    world.later()
    assert world.money() == (BALANCE_CENTS - order["totalCents"], 0)


for _name, _damage in LOST_TOP_UPS.items():
    SCENARIOS.scenario(f"a top-up {_name}", "top_up")(partial(lose_the_top_up, damage=_damage))
for _name, _damage in REFUSED.items():
    SCENARIOS.scenario(f"a top-up is refused with {_name}", "top_up")(
        partial(refuse_the_top_up, damage=_damage)
    )
