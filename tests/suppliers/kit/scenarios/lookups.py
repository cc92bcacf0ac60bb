"""Look-ups: what became of a booking whose answer was lost, by a supplier that is slow to know, or will not say."""

from typing import Any

from apps.suppliers.models import SupplierAlert
from tests.suppliers.kit.damage import Damage, altered, everywhere
from tests.suppliers.kit.scenarios.answers import _emptied
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

SCENARIOS = Subject()
LOST = Damage(end="reset")


def lose(world: World, key: str = "lost-booking-key") -> Any:
    offer = world.offer()
    world.damage("book", LOST)
    world.must_be_unknown(world.book(offer, key))
    return offer


@SCENARIOS.scenario("the supplier knows nothing at first, and then does", "find")
def unknown_at_first(world: World) -> None:
    """One early "not found" is not believed."""
    lose(world)
    world.damage("find", altered(_emptied, times=2))
    world.look()
    assert world.booking().status == "pending"
    world.later()
    world.must_stand()


@SCENARIOS.scenario("the look-up is lost itself", "find")
def look_up_lost(world: World) -> None:
    lose(world)
    world.damage("find", Damage(end="hang"))
    world.look()
    assert world.booking().status == "pending"
    world.later()
    world.must_stand()


@SCENARIOS.scenario("the look-up finds it, and reading it is lost", "find", "read")
def reading_lost(world: World) -> None:
    lose(world)
    world.damage("read", Damage(end="reset", times=3))
    world.look()
    world.later()
    world.must_stand()


@SCENARIOS.scenario("two bookings have our reference", "find")
def two_with_ours(world: World) -> None:
    """One of them is ours, and staff hear of the other."""
    lose(world)
    world.damage("find", altered(_doubled, times=-1))
    world.look()
    assert SupplierAlert.objects.filter(kind="duplicate_reference").exists()
    world.bench.calm()
    world.later()
    world.must_stand()


def _doubled(body: Any) -> Any:
    """Each list of bookings with a cancelled twin of each, under another id."""
    (name,) = [name for name, value in body.items() if isinstance(value, list)]
    return {**body, name: [*body[name], *({**one, **_other_ids(one)} for one in body[name])]}


def _other_ids(one: dict[str, Any]) -> dict[str, Any]:
    ids = {name: f"9{one[name]}" for name in ("reference", "bookingId", "booking_Id") if name in one}
    if "id" in one:
        ids["id"] = one["id"] + 1 if isinstance(one["id"], int) else f"{one['id']}9"
    return ids


@SCENARIOS.scenario("its list has our reference in capitals", "find")
def in_capitals(world: World) -> None:
    lose(world)
    shout = everywhere(
        lambda name, value: value.upper() if "eference" in name and isinstance(value, str) else value
    )
    world.damage("find", altered(shout, times=-1))
    world.later()
    world.must_stand()


@SCENARIOS.scenario("another booking of the same partner is in the list", "find")
def somebody_elses(world: World) -> None:
    """A booking that never arrived is not taken for one that did."""
    first = world.booked()
    offer = world.offer()
    world.damage("book", Damage(end="reset", accept=False))
    reply = world.book(offer)
    assert reply.status == 503, reply.body
    world.later()
    assert world.read(first["id"])["status"] == world.shop.standing
    assert len(world.bench.made()) == 1


@SCENARIOS.scenario("the partner asks again with the same key", "find")
def same_key(world: World) -> None:
    """And is answered with the very booking."""
    offer = lose(world)
    reply = world.book(offer, "lost-booking-key")
    assert reply.status in (201, 503), reply.body
    world.later()
    assert world.book(offer, "lost-booking-key").status == 201


@SCENARIOS.scenario("the partner asks again and again while nobody answers", "find")
def insisting(world: World) -> None:
    offer = lose(world)
    world.damage("find", Damage(end="reset", times=-1))
    for _ in range(3):
        assert world.book(offer, "lost-booking-key").status == 503
    world.bench.calm()
    world.later()
    world.must_stand()


@SCENARIOS.scenario("the supplier cancelled it before it was found", "find")
def cancelled_before(world: World) -> None:
    """For free: the partner pays nothing."""
    lose(world)
    world.bench.call_off(world.bench.made()[0].reference)
    world.later()
    world.poll()
    world.later()
    assert world.money()[1] == 0


@SCENARIOS.scenario("nothing is ever heard again", "find")
def never_again(world: World) -> None:
    """A day of silence: staff decide, and the hold stays until they have."""
    lose(world)
    world.damage("find", Damage(end="reset", times=-1))
    world.later()
    assert world.booking().status == "pending"
    assert world.money()[1] > 0
    assert SupplierAlert.objects.filter(kind="unresolved").exists()


@SCENARIOS.scenario("three bookings are lost at once", "find")
def three_lost(world: World) -> None:
    """Each finds its own."""
    offers = [world.offer() for _ in range(3)]
    world.damage("book", Damage(end="reset", times=3))
    assert [world.book(offer).status for offer in offers] == [503] * 3
    world.later()
    assert len(world.bench.made()) == 3
