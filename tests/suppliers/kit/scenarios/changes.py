"""Changes of flights, where the supplier has them: confirmed in silence, never arrived, refused."""

from functools import partial
from typing import Any

from tests.suppliers.kit.damage import Damage, altered, done_but
from tests.suppliers.kit.scenarios.answers import HTML
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.scenarios.prices import currencies
from tests.suppliers.kit.shops.flights import FlightShop
from tests.suppliers.kit.world import World

SCENARIOS = Subject()
LOST = {
    "hangs": Damage(end="hang"),
    "is reset": Damage(end="reset"),
    "is cut short": Damage(end="half"),
    "is answered with HTML": done_but(HTML),
    "is answered with 502": done_but(b"", 502),
}


def options(world: World) -> tuple[dict[str, Any], list[dict[str, Any]], FlightShop]:
    assert isinstance(world.shop, FlightShop)
    order = world.booked()
    return order, world.shop.desk.options_of(order), world.shop


def lose_the_change(world: World, damage: Damage, place: int) -> None:
    """`place`: among the options, the cheapest first. The first gives money back."""
    order, found, shop = options(world)
    world.damage("change", damage)
    reply = world._kept(shop.desk.confirm(order, found[place]))
    assert reply.status in (200, 503), reply.body
    world.later()
    changed = world.read(order["id"])
    wanted = found[place]["newTotalCents"] if damage.accept else order["totalCents"]
    assert changed["totalCents"] == wanted


for _name, _damage in LOST.items():
    SCENARIOS.scenario(f"a dearer change {_name}", "change")(
        partial(lose_the_change, damage=_damage, place=-1)
    )
    SCENARIOS.scenario(f"a cheaper change {_name}", "change")(
        partial(lose_the_change, damage=_damage, place=0)
    )
SCENARIOS.scenario("a change never arrives", "change")(
    partial(lose_the_change, damage=Damage(end="reset", accept=False), place=-1)
)


@SCENARIOS.scenario("changes are priced in another currency", "options", "read")
def changes_in_another_currency(world: World) -> None:
    """There is no rate for it: nobody pays 125.00 EUR as 125 JPY."""
    assert isinstance(world.shop, FlightShop)
    order = world.booked()
    for step in ("options", "read"):
        world.damage(step, altered(currencies("JPY"), times=-1))
    assert world.shop.desk.options_of(order) == []
