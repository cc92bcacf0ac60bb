"""Answers that are not what was documented: of every kind that a gateway, a proxy or a tired server can make."""

import gzip
from functools import partial

from tests.suppliers.kit.damage import Damage, altered, done_but, everywhere
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

HTML = b"<!doctype html><title>502 Bad Gateway</title><p>Sorry."
HUGE = gzip.compress(b" " * (17 * 1024 * 1024), 1)
"""More than an answer may unpack to."""

UNREADABLE: dict[str, Damage] = {
    "a page of HTML with 200": done_but(HTML, Content_Type="text/html"),
    "an empty body": done_but(b""),
    "null": done_but(b"null"),
    "an empty list": done_but(b"[]"),
    "an empty object": done_but(b"{}"),
    "a text": done_but(b'"accepted"'),
    "a number": done_but(b"42"),
    "true": done_but(b"true"),
    "data that is null": done_but({"data": None, "bookings": None}),
    "data that is a text": done_but({"data": "ok", "bookings": "ok"}),
    "data that is a list": done_but({"data": [[]], "bookings": [[]]}),
    "204": done_but(None, 204),
    "broken gzip": done_but(b"\x1f\x8b\x08\x00broken", Content_Encoding="gzip"),
    "an unknown encoding": done_but(b"abc", Content_Encoding="zstd"),
    "half an answer": Damage(end="half"),
    "an answer that drips": Damage(end="drip"),
    "a body without end": done_but(HUGE, Content_Encoding="gzip"),
    "JSON without end": done_but(b"[" * 200_000),
    "bytes that are no UTF-8": done_but(b'{"data": "\xff\xfe\xe9"}'),
    "NaN": done_but(b'{"data": {"price": NaN}}'),
    "JSON cut in two": done_but(b'{"data": {"id": "ord_1", "boo'),
    "two JSON texts": done_but(b'{"data": {}}{"data": {}}'),
    "all its texts as numbers": altered(
        everywhere(lambda name, value: 7 if isinstance(value, str) else value)
    ),
    "all its numbers as lists": altered(
        everywhere(lambda name, value: [value] if isinstance(value, int | float) else value)
    ),
    "every value null": altered(everywhere(lambda name, value: None)),
    "every value an object": altered(everywhere(lambda name, value: {"value": value})),
    "every list empty": altered(lambda body: _emptied(body)),
}
MENDED: dict[str, Damage] = {
    "the wrong content type": Damage(headers={"Content-Type": "text/plain"}),
    "fields that nobody knows": altered(lambda body: _grown(body)),
}
"""What does not matter."""
SAY_NOTHING_IS_THERE = {"204", "data that is null", "every list empty"}
"""In a list of bookings: said twice and late enough, it is believed."""

SCENARIOS = Subject()


def _emptied(value: object) -> object:
    if isinstance(value, dict):
        return {name: _emptied(part) for name, part in value.items()}
    return [] if isinstance(value, list) else value


def _grown(value: object) -> object:
    if isinstance(value, dict):
        more = {"x_new": {"deep": [1, None, "é"]}, "": "no name", "$ref": None}
        return {**{name: _grown(part) for name, part in value.items()}, **more}
    return [_grown(part) for part in value] if isinstance(value, list) else value


def booked_unreadably(world: World, damage: Damage) -> None:
    """Booked there, and unreadable here: pending with its hold until the look-up finds it; or read all the same."""
    offer = world.offer()
    world.damage("book", damage)
    reply = world.book(offer)
    if reply.status != 201:
        world.must_be_unknown(reply)
    world.later()
    world.must_stand()


for _name, _damage in UNREADABLE.items():
    SCENARIOS.scenario(f"a booking is answered with {_name}", "book")(
        partial(booked_unreadably, damage=_damage)
    )


for _name, _damage in MENDED.items():

    @SCENARIOS.scenario(f"a booking is answered with {_name}", "book")
    def booked_readably(world: World, damage: Damage = _damage) -> None:
        offer = world.offer()
        world.damage("book", damage)
        reply = world.book(offer)
        assert reply.status == 201, reply.body


@SCENARIOS.scenario("searches are answered with all of it", "search")
def searched_unreadably(world: World) -> None:
    """Nothing is found, or something can be: never a 500. Then all is well again."""
    for damage in UNREADABLE.values():
        world.damage("search", damage)
        reply = world.search()
        assert reply.status in (200, 201, 400, 502, 503), reply.body
        world.bench.calm()
    world.pass_time(60)
    world.booked()


@SCENARIOS.scenario("the price before a booking is answered with all of it", "check")
def checked_unreadably(world: World) -> None:
    """Nothing is booked and nothing is held."""
    for damage in UNREADABLE.values():
        offer = world.offer()
        world.damage("check", damage)
        reply = world.book(offer)
        if reply.status == 201:  # such damage to this answer changes nothing that is read
            continue
        assert reply.status in (409, 410, 502, 503), reply.body
        assert world.money()[1] == 0
        world.bench.calm()
        world.pass_time(1)
    world.later()


@SCENARIOS.scenario("look-ups are answered with all of it", "find")
def looked_up_unreadably(world: World) -> None:
    """A booking whose answer is lost stays pending, with its hold, however the look-ups end."""
    offer = world.offer()
    world.damage("book", Damage(end="reset"))
    world.must_be_unknown(world.book(offer))
    for name in sorted(UNREADABLE.keys() - SAY_NOTHING_IS_THERE)[::2]:
        world.damage("find", UNREADABLE[name])
        world.look()
        if world.booking().status != "pending":  # such damage to a list changes nothing that is read
            break
        world.bench.calm()
    world.later()
    world.must_stand()
