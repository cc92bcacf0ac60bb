"""Answers that are not what was documented: of every kind, status and value that a gateway, a proxy or a tired server makes."""

import gzip
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.damage import Damage, altered, done_but, everywhere, instead
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

HTML = b"<!doctype html><title>502 Bad Gateway</title><p>Sorry."
HUGE = gzip.compress(b" " * (17 * 1024 * 1024), 1)
"""More than an answer may unpack to."""

UNREADABLE: dict[str, Damage] = {
    "a page of HTML with 200": done_but(HTML, Content_Type="text/html"),
    "an empty body": done_but(b""),
    "null": done_but(b"null"),
    "an empty object": done_but(b"{}"),
    "a text": done_but(b'"accepted"'),
    "data that is null": done_but({"data": None, "bookings": None}),
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
    world.lose_booking()
    for name in sorted(UNREADABLE.keys() - SAY_NOTHING_IS_THERE)[::2]:
        world.damage("find", UNREADABLE[name])
        world.look()
        if world.booking().status != "pending":  # such damage to a list changes nothing that is read
            break
        world.bench.calm()
    world.later()
    world.must_stand()


ELSEWHERE = {"Location": "http://127.0.0.1:9/elsewhere"}
PAGE = b"<html><h1>Error</h1></html>"
NOT_DONE: dict[str, Damage] = {
    **{
        f"{status}, a redirect": Damage(accept=False, status=status, headers=ELSEWHERE)
        for status in (301, 302, 307, 308)
    },
    **{
        str(status): instead(status, PAGE)
        for status in (400, 403, 404, 405, 408, 409, 413, 415, 418, 422, 451)
    },
    **{str(status): instead(status, PAGE) for status in (500, 501, 502, 503, 504, 520, 599)},
    "429": instead(429, PAGE),
    "429 with Retry-After": instead(429, PAGE, Retry_After="1"),
    "429 with a long Retry-After": instead(429, PAGE, Retry_After="86400"),
    "503 with a date in Retry-After": instead(503, PAGE, Retry_After="Fri, 31 Dec 2027 23:59:59 GMT"),
}
DONE = (408, 500, 502, 504, 520)
"""With the booking made: no certain refusal may be read from them."""


def refuse_the_booking(world: World, damage: Damage) -> None:
    """Refused, or unknown until the look-ups have found nothing: in the end nothing is booked and nothing paid."""
    offer = world.offer()
    world.damage("book", damage)
    reply = world.book(offer)
    assert reply.status in (400, 404, 409, 410, 502, 503), reply.body
    if reply.status != 503:
        world.must_be_refused(reply)
    world.later()
    world.must_be_gone()


for _name, _damage in NOT_DONE.items():
    SCENARIOS.scenario(f"a booking is refused with {_name}", "book")(
        partial(refuse_the_booking, damage=_damage)
    )


def keeps_no_promise(status: int, bench: Bench) -> bool:
    return status not in bench.certain


for _status in DONE:

    @SCENARIOS.scenario(
        f"a booking is made and answered with {_status}", "book", where=partial(keeps_no_promise, _status)
    )
    def made_in_spite(world: World, status: int = _status) -> None:
        offer = world.offer()
        world.damage("book", Damage(status=status, body=PAGE))
        world.must_be_unknown(world.book(offer))
        world.later()
        world.must_stand()


@SCENARIOS.scenario("searches and prices are refused with every status", "search")
def refused_reads(world: World) -> None:
    offer = world.offer()
    for damage in NOT_DONE.values():
        for step in {"search", "check"} & world.bench.steps.keys():
            world.damage(step, Damage(**{**damage.__dict__, "times": 3}))
        assert world.search().status in (200, 201, 400, 502, 503)
        if "check" in world.bench.steps:
            world.must_be_refused(world.book(offer))
        world.bench.calm()
        world.pass_time(1)


@SCENARIOS.scenario("look-ups are refused with every status", "find")
def refused_look_ups(world: World) -> None:
    """No refusal of a list says that a booking is not there."""
    world.lose_booking()
    for name in sorted(NOT_DONE)[::2]:
        world.damage("find", Damage(**{**NOT_DONE[name].__dict__, "times": 3}))
        world.look()
        assert world.booking().status == "pending", name
        world.bench.calm()
    world.later()
    world.must_stand()


DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")
KEYS = re.compile(
    r"id$|reference|code|key|type|status|slug|currency|amount|price|token|lpa|iccid|qrcode", re.IGNORECASE
)
"""Names of what is no text for people."""
EVERYWHERE = ("search", "check", "book", "find", "read", "quote", "cancel")


def texts(change: Callable[[str], str]) -> Callable[[Any], Any]:
    """Rewrites what is written for people."""

    def rewrite(name: str, value: Any) -> Any:
        prose = isinstance(value, str) and value and not KEYS.search(name) and not DATE.match(value)
        return change(value) if prose and not value[0].isdigit() else value

    return everywhere(rewrite)


def dates(change: Callable[[str], Any]) -> Callable[[Any], Any]:
    return everywhere(
        lambda name, value: change(value) if isinstance(value, str) and DATE.fullmatch(value) else value
    )


def live_through(world: World, alter: Callable[[Any], Any]) -> None:
    """A whole journey with every answer so: sold, looked at and cancelled, or not sold; nothing lost, no 500."""
    usual = world.offer()
    for step in EVERYWHERE:
        if step in world.bench.steps:
            world.damage(step, altered(alter, times=-1))
    assert world.search().status in (200, 201, 502, 503)
    reply = world.book(usual)
    assert reply.status in (201, 409, 410, 502, 503), reply.body
    world.poll()
    if reply.status == 201 and world.shop.cancels:
        assert world.cancel(reply.body).status in (200, 409, 502, 503)


for _name, _alter in {
    "very long texts": texts(lambda text: text * 3_000),
    "texts beyond ASCII": texts(lambda text: f"{text} Ñandú 北京 🏨 \u202eתודה"),
    "the character zero in texts": texts(lambda text: f"{text}\0{text}"),
    "half a surrogate pair in texts": texts(lambda text: f"{text}\ud800"),
    "markup in texts": texts(lambda text: f"<script>alert(1)</script>{text}&amp;"),
    "empty texts": texts(lambda text: ""),
    "line ends in texts": texts(lambda text: f"{text}\r\nX-Injected: 1"),
}.items():
    SCENARIOS.scenario(f"answers with {_name}")(partial(live_through, alter=_alter))

for _name, _alter in {
    "dates without a zone": dates(lambda date: re.sub(r"(Z|[+-]\d\d:?\d\d)$", "", date)),
    "dates in another zone": dates(lambda date: f"{date[:19]}+14:00" if "T" in date else date),
    "dates that are none": dates(lambda date: "2027-02-30T25:61:00"),
    "dates of the year 1": dates(lambda date: f"0001{date[4:]}"),
    "dates of the year 9999": dates(lambda date: f"9999{date[4:]}"),
    "dates as numbers": dates(lambda date: 1_800_000_000),
    "no dates": dates(lambda date: None),
}.items():
    SCENARIOS.scenario(f"answers with {_name}")(partial(live_through, alter=_alter))


@SCENARIOS.scenario("the supplier's clock is an hour ahead")
def ahead(world: World) -> None:
    """Sold, or refused; never half done."""
    offer = world.offer()
    world.bench.pass_time(3_600)
    reply = world.book(offer)
    assert reply.status in (201, 410, 502, 503), reply.body
    world.bench.pass_time(-3_600)
    world.later()


@SCENARIOS.scenario("our clock is a day ahead of the supplier's", "find")
def behind(world: World) -> None:
    """A booking is lost just then, and found by whatever day it was written under."""
    world.move_clock(days=1)
    offer_reply = world.search()
    offers = world.shop.offers(offer_reply) if offer_reply.status < 300 else []
    if not offers:
        return  # a signature of tomorrow is not taken, or all offers have expired: nothing can be sold, and nothing lost
    world.book(offers[0])
