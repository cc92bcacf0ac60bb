"""Cancellations: lost at each step, refused, done already, at another cost."""

from functools import partial

from tests.suppliers.kit.damage import Damage, altered, done_but, instead
from tests.suppliers.kit.scenarios.answers import HTML
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.scenarios.credentials import knows, refused_for
from tests.suppliers.kit.scenarios.prices import amounts, currencies, times
from tests.suppliers.kit.world import World

SCENARIOS = Subject()
LOST = {
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


for _name, _damage in LOST.items():
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


@SCENARIOS.scenario("a cancellation is refused, and then done", "cancel")
def refused_then_done(world: World) -> None:
    booked = world.booked()
    world.damage("cancel", instead(429, b""))
    assert world.cancel(booked).status in (502, 503)
    world.pass_time(15)
    world.later()
    assert world.cancel(booked).status == 200


@SCENARIOS.scenario(
    "a cancellation is refused in the supplier's own words", "cancel", where=knows("not cancellable")
)  # type: ignore[arg-type]
def not_cancellable(world: World) -> None:
    booked = world.booked()
    refused_for(world, "cancel", "not cancellable")
    assert world.cancel(booked).status == 409
    assert world.read(booked["id"])["status"] == world.shop.standing


@SCENARIOS.scenario("it is cancelled there already", "cancel")
def already_there(world: World) -> None:
    """By themselves, for free: nothing is paid in the end."""
    booked = world.booked()
    world.bench.call_off(world.bench.made()[0].reference)
    assert world.cancel(booked).status in (200, 409, 502, 503)
    world.later()
    world.poll()
    world.later()
    assert world.read(booked["id"])["status"] == "cancelled"


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


@SCENARIOS.scenario("a cancellation is sent twice with one key", "cancel")
def sent_twice(world: World) -> None:
    booked = world.booked()
    first, second = (world.cancel(booked, "cancel-twice-key") for _ in range(2))
    assert (first.status, second.body) == (200, first.body)


@SCENARIOS.scenario("a cancelled booking is cancelled once more", "cancel")
def once_more(world: World) -> None:
    booked = world.booked()
    assert world.cancel(booked).status == 200
    assert world.cancel(booked).status == 409


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
