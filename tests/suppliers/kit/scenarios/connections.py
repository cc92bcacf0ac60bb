"""Connections: what breaks before, during and after a request."""

import threading
from functools import partial

from django.test import override_settings

from apps.bookings.models import Booking
from tests.suppliers.kit.damage import Damage
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World, wait_until
from tests.support.wire import nobody, wire

SCENARIOS = Subject()
LOST = {
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


for _name, _damage in LOST.items():
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


@SCENARIOS.scenario("its name is not found")
def no_such_name(world: World) -> None:
    ask_in_vain(world, "http://supplier.invalid")


@SCENARIOS.scenario("its TLS fails")
def broken_tls(world: World) -> None:
    with wire() as plain:
        plain.acts = [lambda sock: sock.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")]
        ask_in_vain(world, plain.url.replace("http", "https"))


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


@SCENARIOS.scenario("a kept connection was closed meanwhile", "search")
def closed_connection(world: World) -> None:
    """Reads go over kept connections, and are sent again."""
    world.search()
    world.damage("search", Damage(end="reset", accept=False))
    assert world.search().status in (200, 201)
