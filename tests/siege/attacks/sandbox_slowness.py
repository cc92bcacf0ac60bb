"""64 calls at once that ask a sandbox supplier to be slow, on every route that takes the trigger."""

import json
from datetime import UTC, datetime, timedelta

from tests.siege.attack import Attack
from tests.siege.field import Field
from tests.siege.goods import FLIGHT, TRANSFER, Goods, passengers

AT_ONCE = 64
SLOW = {"X_Partner_Customer_Ref": "sbx_slow"}


def routes(told: dict[str, str]) -> list[tuple[str, str, object]]:
    """Everything that reaches a supplier, with ids of the attacker's own."""
    day = (datetime.now(UTC) + timedelta(days=67)).date().isoformat()
    added = {"origin": FLIGHT["origin"], "destination": FLIGHT["destination"], "departureDate": day}
    people = {"passengers": passengers(), "contact": {"email": "ada@example.com", "phone": "+351210000000"}}
    lead = {"firstName": "Ada", "lastName": "Lovelace", **people["contact"]}  # type: ignore[dict-item]
    guest = {"firstName": "Ada", "lastName": "Lovelace", "type": "adult"}
    return [
        ("POST", "/v1/hotels/searches", {}),
        ("POST", "/v1/flights/searches", FLIGHT),
        ("POST", "/v1/transfers/searches", TRANSFER),
        ("GET", f"/v1/flights/offers/{told['offerId']}", None),
        ("POST", "/v1/flights/orders", {"offerId": told["offerId"], **people}),
        (
            "POST",
            "/v1/hotels/bookings",
            {"rateId": told["rateId"], "guests": [guest], "contact": people["contact"]},
        ),
        ("POST", "/v1/transfers/orders", {"quoteId": told["quoteId"], "leadPassenger": lead}),
        ("POST", "/v1/esim/orders", {"planId": told["planId"]}),
        ("GET", f"/v1/esim/orders/{told['esimId']}/usage", None),
        (
            "POST",
            f"/v1/flights/orders/{told['orderId']}/change-options",
            {"removeSliceId": told["sliceId"], "add": added},
        ),
        ("POST", f"/v1/flights/orders/{told['orderId']}/cancel", {"maxPenaltyCents": 0}),
    ]


async def everywhere(field: Field) -> None:
    asked = routes(field.told)
    key = field.key("heavy", "test")

    async def one(number: int) -> None:
        method, path, body = asked[number % len(asked)]
        content = b"" if body is None else json.dumps(body).encode()
        await field.ask(field.request(method, path, content, key=key, **SLOW))

    await field.relentless(AT_ONCE, one)


async def usage(field: Field) -> None:
    """Reads of usage alone, with the usual limits: what stopped other partners' live reads before."""
    path = f"/v1/esim/orders/{field.told['usualEsimId']}/usage"
    ask = field.request("GET", path, key=field.key("attacker", "test"), **SLOW)
    await field.relentless(AT_ONCE, lambda number: field.ask(ask))


ATTACKS = [
    Attack("sbx-slow-every-route", everywhere, prepare=lambda stage: Goods(stage).told(), patience=10.0),
    Attack("sbx-slow-usage", usage, prepare=lambda stage: Goods(stage).told(), patience=10.0),
]
