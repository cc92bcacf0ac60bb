"""Values: texts, dates and clocks as real systems have them."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.suppliers.kit.damage import altered, everywhere
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

SCENARIOS = Subject()
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
