"""Our account with the supplier, and its webhooks, which are hints and decide nothing."""

from typing import Any

from django.db import connections

from tests.suppliers.kit.bench import Bench, Carried
from tests.suppliers.kit.damage import Damage, altered
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

SCENARIOS = Subject()


def refused_for(world: World, step: str, meaning: str, times: int = 1) -> None:
    damage = world.bench.refusal(meaning)
    assert damage is not None
    world.damage(step, Damage(**{**damage.__dict__, "times": times}))


def knows(meaning: str) -> object:
    return lambda bench: bench.refusal(meaning) is not None


for _step in ("search", "check", "book"):

    @SCENARIOS.scenario(f"at the {_step} our credentials are refused once", _step)
    def refused_once(world: World, step: str = _step) -> None:
        """As when a token has expired mid-way. A fresh one may do; if not, nothing was done, and the next attempt succeeds."""
        offer = world.offer() if step != "search" else None
        refused_for(world, step, "unauthorised")
        if offer is None:
            assert world.search().status in (200, 201, 503)
            offer = world.offer()
        reply = world.book(offer, "refused-once-key")
        if reply.status != 201:
            assert reply.status == 503, reply.body
            world.must_be_refused(reply)
            assert world.book(offer, "refused-once-key").status in (201, 410)

    @SCENARIOS.scenario(f"at the {_step} our credentials are refused always", _step)
    def refused_always(world: World, step: str = _step) -> None:
        """503 to the partner, who can do nothing about it; and nothing is held."""
        offer = world.offer()
        refused_for(world, step, "unauthorised", -1)
        if step == "search":
            assert world.search().status in (200, 503)
            return
        reply = world.book(offer)
        assert reply.status == 503, reply.body
        world.must_be_refused(reply)

    @SCENARIOS.scenario(f"at the {_step} we are throttled", _step)
    def throttled(world: World, step: str = _step) -> None:
        offer = world.offer()
        refused_for(world, step, "throttled", 3)
        reply = world.search() if step == "search" else world.book(offer, "throttled-key-1")
        assert reply.status in (200, 503), reply.body
        world.must_be_refused(reply) if reply.status == 503 else None
        world.bench.calm()
        world.pass_time(15)
        assert world.book(world.offer()).status == 201


for _meaning in ("credit used up", "quota used up"):

    @SCENARIOS.scenario(f"{_meaning} at the booking", "book", where=knows(_meaning))  # type: ignore[arg-type]
    def used_up(world: World, meaning: str = _meaning) -> None:
        """Ours, not the partner's: 503, an alert, and nothing held."""
        offer = world.offer()
        refused_for(world, "book", meaning, -1)
        reply = world.book(offer)
        assert reply.status == 503, reply.body
        world.must_be_refused(reply)


def has_quota(bench: Bench) -> bool:
    return bench.refusal("quota used up") is not None


@SCENARIOS.scenario("the quota is used up while a booking is looked up", "find", where=has_quota)
def quota_at_look_up(world: World) -> None:
    world.lose_booking()
    refused_for(world, "find", "quota used up", -1)
    world.look()
    assert world.booking().status == "pending"
    world.bench.calm()
    world.bench.forget()  # the next day, which is the next day for Redis too
    world.later()
    world.must_stand()


def sends(bench: Bench) -> bool:
    return type(bench).webhook is not Bench.webhook


@SCENARIOS.scenario("a webhook comes before the answer", "book", where=sends)
def before_the_answer(world: World) -> None:
    offer = world.offer()
    sent: list[int] = []

    def tell_first(body: Any) -> Any:
        sent.append(world.send_webhook(world.bench.made()[0]))
        connections.close_all()  # of the stand-in's thread
        return body

    world.damage("book", altered(tell_first))
    reply = world.book(offer)
    assert (reply.status, sent) == (201, [200])
    world.follow_webhooks()


@SCENARIOS.scenario("a webhook is about nothing of ours", "book", where=sends)
def about_nothing(world: World) -> None:
    world.booked()
    made = world.bench.made()[0]
    other = Carried(made.step, "X-NOBODYS", made.reference, made.answer)
    before = world.money()
    world.bench.carried.remove(made)
    assert world.send_webhook(other) == 200
    world.follow_webhooks()
    world.bench.carried.append(made)
    assert world.money() == before


@SCENARIOS.scenario("a webhook tells of a booking whose answer was lost", "book", "find", where=sends)
def of_a_lost_one(world: World) -> None:
    """It is looked up at once, by ourselves."""
    world.lose_booking()
    assert world.send_webhook(world.bench.made()[0]) == 200
    world.follow_webhooks()
    world.later()
    world.must_stand()


@SCENARIOS.scenario("a webhook speaks of an end that is none", "book", where=sends)
def of_no_end(world: World) -> None:
    """Read from the supplier it stands, whatever the event says."""
    booked = world.booked()
    before = world.money()
    assert world.send_webhook(world.bench.made()[0]) == 200
    world.follow_webhooks()
    world.pass_time(1)
    world.later()
    assert (world.read(booked["id"])["status"], world.money()) == (world.shop.standing, before)


@SCENARIOS.scenario("no webhook tells that the supplier has cancelled", "read")
def untold(world: World) -> None:
    """A poll finds it, and all comes back."""
    booked = world.booked()
    world.bench.call_off(world.bench.made()[0].reference)
    world.poll()
    world.later()
    assert world.read(booked["id"])["status"] in ("cancelled", world.shop.standing)
