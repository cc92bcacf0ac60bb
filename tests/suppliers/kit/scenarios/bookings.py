"""Bookings: refused in the supplier's own words, lost at each step, looked up at suppliers that are slow to know."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from django.test import override_settings

from apps.bookings.models import Booking
from apps.suppliers.models import SupplierAlert
from tests.suppliers.kit.damage import Damage, altered, everywhere
from tests.suppliers.kit.scenarios.account import knows, refused_for
from tests.suppliers.kit.scenarios.answers import _emptied
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World, wait_until
from tests.support.wire import nobody

SCENARIOS = Subject()


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


LOST_BOOKINGS = {
    "hangs, booked": Damage(end="hang"),
    "hangs, not booked": Damage(end="hang", accept=False),
    "is reset after it was carried out": Damage(end="reset"),
    "is reset before it was carried out": Damage(end="reset", accept=False),
}


def lose_the_booking(world: World, damage: Damage) -> None:
    """Unknown, with its hold, until the look-ups say what became of it."""
    offer = world.offer()
    world.damage("book", damage)
    world.must_be_unknown(world.book(offer))
    world.later()
    if damage.accept:
        world.must_stand()
    else:
        world.must_be_gone()


for _name, _damage in LOST_BOOKINGS.items():
    SCENARIOS.scenario(f"a booking {_name}", "book")(partial(lose_the_booking, damage=_damage))


def ask_in_vain(world: World, origin: str) -> None:
    """Certainly nobody was asked: refused at once, with nothing held."""
    offer = world.offer()
    with world.relocated(origin):
        assert world.search().status in (200, 503)  # a catalogue of before is still there
        world.must_be_refused(world.book(offer))
        world.must_be_refused(world.book(offer))
    world.pass_time(30)
    assert world.book(offer).status in (201, 410)


@SCENARIOS.scenario("nobody listens")
def refused_connection(world: World) -> None:
    ask_in_vain(world, nobody())


for _end in ("hang", "reset", "half", "drip"):

    @SCENARIOS.scenario(f"a search ends in {_end}", "search")
    def lost_search(world: World, end: str = _end) -> None:
        """Asked again by us, or by the partner; nothing is at stake."""
        world.damage("search", Damage(end=end))  # type: ignore[arg-type]
        assert world.search().status in (200, 201, 503)
        world.bench.calm()
        world.pass_time(30)
        world.booked()

    @SCENARIOS.scenario(f"the price before a booking ends in {_end}", "check")
    def lost_check(world: World, end: str = _end) -> None:
        """Nothing was sent that books: the partner may try again with the same key."""
        offer = world.offer()
        world.damage("check", Damage(end=end, times=3))  # type: ignore[arg-type]
        world.must_be_refused(world.book(offer, "lost-check-key"))
        world.bench.calm()
        world.pass_time(15)
        assert world.book(offer, "lost-check-key").status == 201


@SCENARIOS.scenario("the answer comes after the partner was told 503", "book")
def late_answer(world: World) -> None:
    """It is written down all the same, and a retry reads it."""
    offer, told = world.offer(), threading.Event()
    world.damage("book", Damage(until=told))
    with override_settings(SUPPLIER_CALL_SECONDS=0.2):
        reply = world.book(offer, "late-answer-key")
    told.set()
    assert reply.status == 503, reply.body
    wait_until(lambda: world.booking().status != Booking.PENDING)
    assert world.book(offer, "late-answer-key").status == 201


@SCENARIOS.scenario("the partner's deadline passes before the price is known", "check")
def slow_check(world: World) -> None:
    """What is asked before a booking ends within the operation's lease; nothing is booked."""
    offer = world.offer()
    world.damage("check", Damage(wait=2.0))
    with override_settings(OPERATION_LEASE_SECONDS=1):
        world.must_be_refused(world.book(offer))


@SCENARIOS.scenario("the supplier knows nothing at first, and then does", "find")
def unknown_at_first(world: World) -> None:
    """One early "not found" is not believed."""
    world.lose_booking("lost-booking-key")
    world.damage("find", altered(_emptied, times=2))
    world.look()
    assert world.booking().status == "pending"
    world.later()
    world.must_stand()


@SCENARIOS.scenario("the look-up is lost itself", "find")
def look_up_lost(world: World) -> None:
    world.lose_booking("lost-booking-key")
    world.damage("find", Damage(end="hang"))
    world.look()
    assert world.booking().status == "pending"
    world.later()
    world.must_stand()


@SCENARIOS.scenario("two bookings have our reference", "find")
def two_with_ours(world: World) -> None:
    """One of them is ours, and staff hear of the other."""
    world.lose_booking("lost-booking-key")
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
    offer = world.lose_booking("lost-booking-key")
    reply = world.book(offer, "lost-booking-key")
    assert reply.status in (201, 503), reply.body
    world.later()
    assert world.book(offer, "lost-booking-key").status == 201


@SCENARIOS.scenario("nothing is ever heard again", "find")
def never_again(world: World) -> None:
    """A day of silence: staff decide, and the hold stays until they have."""
    world.lose_booking("lost-booking-key")
    world.damage("find", Damage(end="reset", times=-1))
    world.later()
    assert world.booking().status == "pending"
    assert world.money()[1] > 0
    assert SupplierAlert.objects.filter(kind="unresolved").exists()
