"""Credentials, credit, limits: our account with the supplier is in trouble."""

from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.damage import Damage
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
    offer = world.offer()
    world.damage("book", Damage(end="reset"))
    world.must_be_unknown(world.book(offer))
    refused_for(world, "find", "quota used up", -1)
    world.look()
    assert world.booking().status == "pending"
    world.bench.calm()
    world.bench.forget()  # the next day, which is the next day for Redis too
    world.later()
    world.must_stand()


@SCENARIOS.scenario("the token is refused while a booking is looked up", "find")
def refused_look_up(world: World) -> None:
    offer = world.offer()
    world.damage("book", Damage(end="reset"))
    world.must_be_unknown(world.book(offer))
    refused_for(world, "find", "unauthorised", 1)
    world.look()
    world.later()
    world.must_stand()
