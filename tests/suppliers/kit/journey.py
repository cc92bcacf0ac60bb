"""A calm journey that makes a connector use all that it knows of its supplier."""

from apps.bookings.flow.polling import poll_suppliers
from apps.common import clock
from apps.esim.suppliers.registry import esim_supplier
from apps.hotels.suppliers.registry import hotel_supplier
from tests.suppliers.kit.damage import Damage
from tests.suppliers.kit.scenarios.money import top_up
from tests.suppliers.kit.shops.flights import FlightShop
from tests.suppliers.kit.world import World


def travel(world: World) -> None:
    """Sold, read, changed, cancelled; lost and found; and what the workers ask behind the scenes."""
    first = world.booked()
    if isinstance(world.shop, FlightShop):
        changed = world.shop.desk.options_of(first)
        world.shop.desk.confirm(first, changed[-1])
        cheaper = world.booked()
        world.damage("change", Damage(end="reset"))
        world.shop.desk.confirm(cheaper, world.shop.desk.options_of(cheaper)[0])
        world.later()
    if world.bench.product == "hotels":
        hotel_supplier("live").learn()
        hotel_supplier("live").standing(clock.today(), clock.today())
    world.pass_time(86_401)
    poll_suppliers()
    lose_and_find(world)
    if world.shop.cancels:
        world.cancel(first)
        second = world.booked()
        world.damage("cancel", Damage(end="reset"))
        world.cancel(second)
        world.later()
        third = world.booked()
        world.bench.call_off(third["supplier"]["reference"])
        world.pass_time(86_401)
        poll_suppliers()
    if world.bench.product == "esim":
        made = world.bench.made()[0]
        esim_supplier("live").usage(made.reference, made.answer["data"]["sims"][0]["iccid"])
        if "top_up" in world.bench.steps:
            top_up(world, first["id"], "journey-top-up")
            world.shop.api.get(f"/v1/esim/orders/{first['id']}/instructions")


def lose_and_find(world: World) -> None:
    world.damage("book", Damage(end="reset"))
    world.book()
    world.later()
