"""Suppliers that take every request and never answer: one product's, and all four at once."""

import json

from tests.siege.attack import Attack
from tests.siege.field import Field
from tests.siege.goods import FLIGHT, TRANSFER

CUSTOMERS = 40
THINK_SECONDS = 1.0
LISBON = {"destination": {"city": "Lisbon", "countryCode": "PT"}}


def asked_of(product: str, plan_id: str) -> tuple[str, dict[str, object]]:
    """What reaches the product's supplier."""
    return {
        "hotels": ("/v1/hotels/searches", LISBON),
        "flights": ("/v1/flights/searches", FLIGHT),
        "transfers": ("/v1/transfers/searches", TRANSFER),
        "esim": ("/v1/esim/orders", {"planId": plan_id}),
    }[product]


async def customers(field: Field) -> None:
    """Each asks again a second after its answer."""
    products = field.told["hung"]

    async def one(number: int) -> None:
        path, body = asked_of(products[number % len(products)], field.told["planId"])
        await field.ask(field.request("POST", path, json.dumps(body).encode(), key=field.key("heavy")))

    await field.relentless(CUSTOMERS, one, pause=THINK_SECONDS)


def hung(name: str, products: tuple[str, ...], victims: tuple[str, ...]) -> Attack:
    return Attack(
        name,
        customers,
        prepare=lambda stage: {"hung": products, "planId": stage.live_plan()},
        hung=products,
        victims=victims,
        rounds=2,
    )


ATTACKS = [
    hung("hung-hotels", ("hotels",), ("account", "search", "booking")),
    hung("hung-flights", ("flights",), ("account", "transfer search", "transfer booking")),
    hung("hung-transfers", ("transfers",), ("account", "search", "booking")),
    hung("hung-esim", ("esim",), ("account", "search", "booking")),
    hung("hung-all-four", ("hotels", "flights", "transfers", "esim"), ("account", "ledger", "plans")),
]
