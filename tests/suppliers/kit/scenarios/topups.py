"""Top-ups of eSIMs, where the supplier has them: a booking of their own, lost and found as any."""

from functools import partial

from apps.bookings.models import Booking
from tests.esim.shop import top_up_plans
from tests.suppliers.kit.damage import Damage, done_but, instead
from tests.suppliers.kit.scenarios.answers import HTML
from tests.suppliers.kit.scenarios.base import Subject
from tests.suppliers.kit.world import BALANCE_CENTS, World
from tests.support.api import Reply

SCENARIOS = Subject()
LOST = {
    "hangs": Damage(end="hang"),
    "is reset": Damage(end="reset"),
    "is cut short": Damage(end="half"),
    "is answered with HTML": done_but(HTML),
    "is answered with 500": done_but(b"", 500),
    "never arrives": Damage(end="reset", accept=False),
}
REFUSED = {str(status): instead(status, b"") for status in (400, 403, 429, 503)}


def top_up(world: World, order_id: str, key: str) -> Reply:
    plan = top_up_plans(world.shop.api, {"id": order_id})[0]
    body = {"planId": plan["id"]}
    world.most[key] = max([*world.most.values(), plan["priceCents"]])
    return world._kept(world.shop.api.post(f"/v1/esim/orders/{order_id}/topups", body, key))


def lose_the_top_up(world: World, damage: Damage) -> None:
    order = world.booked()
    world.damage("top_up", damage)
    reply = top_up(world, order["id"], "lost-top-up-key")
    assert reply.status == 503, reply.body
    held = world.money()[1]
    assert held > 0
    world.later()
    made = Booking.objects.exclude(pk=order["id"]).get()
    assert made.status == ("provisioned" if damage.accept else "failed")
    spent = BALANCE_CENTS - order["totalCents"] - (held if damage.accept else 0)
    assert world.money() == (spent, 0)


def refuse_the_top_up(world: World, damage: Damage) -> None:
    order = world.booked()
    world.damage("top_up", damage)
    assert top_up(world, order["id"], "refused-top-up").status in (409, 410, 502, 503)
    world.later()
    assert world.money() == (BALANCE_CENTS - order["totalCents"], 0)


for _name, _damage in LOST.items():
    SCENARIOS.scenario(f"a top-up {_name}", "top_up")(partial(lose_the_top_up, damage=_damage))
for _name, _damage in REFUSED.items():
    SCENARIOS.scenario(f"a top-up is refused with {_name}", "top_up")(
        partial(refuse_the_top_up, damage=_damage)
    )
