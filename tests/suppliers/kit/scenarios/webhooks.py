"""Webhooks of suppliers: early, late, doubled, forged, about nothing of ours. They are hints, and decide nothing."""

from typing import Any

from django.db import connections

from apps.suppliers.models import SupplierEvent
from tests.suppliers.kit.bench import Bench, Carried
from tests.suppliers.kit.damage import Damage, altered
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import World

SCENARIOS = Subject()


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


@SCENARIOS.scenario("a webhook comes twice", "book", where=sends)
def twice(world: World) -> None:
    world.booked()
    made = world.bench.made()[0]
    assert [world.send_webhook(made) for _ in range(2)] == [200, 200]
    world.follow_webhooks()
    world.follow_webhooks()
    world.must_stand()


@SCENARIOS.scenario("a webhook is forged", "book", where=sends)
def forged(world: World) -> None:
    world.booked()
    assert world.send_webhook(world.bench.made()[0], forged=True) == 401
    assert not SupplierEvent.objects.exists()


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
    offer = world.offer()
    world.damage("book", Damage(end="reset"))
    world.must_be_unknown(world.book(offer))
    assert world.send_webhook(world.bench.made()[0]) == 200
    world.follow_webhooks()
    world.later()
    world.must_stand()


@SCENARIOS.scenario("webhooks come out of order", "book", where=sends)
def out_of_order(world: World) -> None:
    """The news of an end before that of the beginning: what counts is how it stands when it is read."""
    world.booked()
    made = world.bench.made()[0]
    world.bench.call_off(made.reference)
    assert world.send_webhook(made) == 200
    world.follow_webhooks()
    world.poll()
    world.later()
    world.poll()
    world.later()


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
