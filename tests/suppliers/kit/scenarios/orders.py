"""Bookings: sent twice, refused in the supplier's own words, read back strangely."""

from collections.abc import Callable
from typing import Any

from tests.suppliers.kit.damage import Damage, altered, everywhere
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.scenarios.credentials import knows, refused_for
from tests.suppliers.kit.world import World

SCENARIOS = Subject()


@SCENARIOS.scenario("the partner sends a booking twice with one key", "book")
def sent_twice(world: World) -> None:
    offer = world.offer()
    first, second = (world.book(offer, "sent-twice-key") for _ in range(2))
    assert (first.status, second.body) == (201, first.body)
    assert len(world.bench.made()) == 1


@SCENARIOS.scenario("a refusal in the supplier's own words", "book", where=knows("refused"))  # type: ignore[arg-type]
def refused(world: World) -> None:
    offer = world.offer()
    refused_for(world, "book", "refused")
    reply = world.book(offer)
    assert reply.status in (409, 410, 502), reply.body
    world.must_be_refused(reply)


@SCENARIOS.scenario("the offer is gone, in the supplier's own words", "book")
def gone(world: World) -> None:
    offer = world.offer()
    step = "check" if "check" in world.bench.steps else "book"
    refused_for(world, step, "gone")
    reply = world.book(offer)
    assert (reply.status, reply.error_type) == (410, "offer_expired"), reply.body
    world.must_be_refused(reply)


@SCENARIOS.scenario(
    "our reference was used before: by this very booking", "book", where=knows("reference used")
)  # type: ignore[arg-type]
def used_by_us(world: World) -> None:
    """Made, and answered as if it had been made before."""
    offer = world.offer()
    refusal = world.bench.refusal("reference used")
    assert refusal is not None
    world.damage("book", Damage(status=refusal.status, body=refusal.body))
    world.book(offer)
    world.later()
    world.must_stand()


@SCENARIOS.scenario(
    "our reference was used before, and nothing is there", "book", where=knows("reference used")
)  # type: ignore[arg-type]
def used_by_nobody(world: World) -> None:
    offer = world.offer()
    refused_for(world, "book", "reference used")
    world.book(offer)
    world.later()
    world.must_be_gone()


for _done in (True, False):

    @SCENARIOS.scenario(
        f"an unclear answer in the supplier's own words, {'booked' if _done else 'not booked'}",
        "book",
        where=knows("unclear"),  # type: ignore[arg-type]
    )
    def unclear(world: World, done: bool = _done) -> None:
        offer = world.offer()
        refusal = world.bench.refusal("unclear")
        assert refusal is not None
        world.damage("book", Damage(accept=done, status=refusal.status, body=refusal.body))
        world.must_be_unknown(world.book(offer))
        world.later()
        world.must_stand() if done else world.must_be_gone()


def words(change: Callable[[str], str]) -> Callable[[Any], Any]:
    return everywhere(
        lambda name, value: change(value) if name in ("status", "slug") and isinstance(value, str) else value
    )


@SCENARIOS.scenario("a booking is answered with a status that nobody knows", "book")
def unknown_word(world: World) -> None:
    offer = world.offer()
    world.damage("book", altered(words(lambda word: "TELEPORTED")))
    world.book(offer)
    world.later()
    world.must_stand()


@SCENARIOS.scenario("a booking is read with a status that nobody knows", "read")
def unknown_word_read(world: World) -> None:
    """It stands until a word that is known says otherwise."""
    booked = world.booked()
    world.damage("read", altered(words(lambda word: "TELEPORTED"), times=-1))
    world.poll()
    world.later()
    assert world.read(booked["id"])["status"] == world.shop.standing


@SCENARIOS.scenario("a booking is read in other letters", "read")
def other_letters(world: World) -> None:
    booked = world.booked()
    world.damage("read", altered(words(str.lower), times=-1))
    world.poll()
    world.later()
    assert world.read(booked["id"])["status"] == world.shop.standing


@SCENARIOS.scenario("a booking is not there when it is polled", "read")
def not_there(world: World) -> None:
    """That alone cancels nothing and pays nothing back."""
    booked = world.booked()
    before = world.money()
    world.damage("read", Damage(accept=False, status=404, body={}, times=-1))
    world.poll()
    world.later()
    assert world.read(booked["id"])["status"] == world.shop.standing
    assert sum(world.money()) <= sum(before)


@SCENARIOS.scenario("an id that is not as ours are", "book")
def strange_id(world: World) -> None:
    """Longer than we can keep: found again by our reference."""
    offer = world.offer()
    names = ("bookingId", "reference", "id", "booking_reference")
    world.damage(
        "book",
        altered(everywhere(lambda name, value: f"{value}" + "x" * 5_000 if name in names else value)),
    )
    world.book(offer)
    world.later()
    world.must_stand()
