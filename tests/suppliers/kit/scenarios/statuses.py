"""Statuses: those of gateways and proxies, which no supplier documents, with the write carried out and without."""

from functools import partial

from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.damage import Damage, instead
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

SCENARIOS = Subject()
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
    offer = world.offer()
    world.damage("book", Damage(end="reset"))
    world.must_be_unknown(world.book(offer))
    for name in sorted(NOT_DONE)[::2]:
        world.damage("find", Damage(**{**NOT_DONE[name].__dict__, "times": 3}))
        world.look()
        assert world.booking().status == "pending", name
        world.bench.calm()
    world.later()
    world.must_stand()
