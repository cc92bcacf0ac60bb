"""A flight seller's desk: what the tests of flights ask for beyond a `FlightShop`, and how they look at what came of it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson

from apps.common import clock
from apps.keys.scopes import ENFORCED
from apps.ledger.selectors import balance_of, ledger_of
from apps.onboarding.partners import Onboarded, Terms
from apps.webhooks.models import Event
from tests.factories.partners import new_partner
from tests.support.api import Api, Reply
from tests.support.flight_shop import PASSENGER, FlightShop

BALANCE_CENTS = 10_000_000
ADA = PASSENGER
CHARLES = {**PASSENGER, "title": "mr", "firstName": "Charles", "lastName": "Babbage"}
BYRON = {**PASSENGER, "firstName": "Byron", "type": "child", "dateOfBirth": "2018-05-12"}
ANNABELLA = {**PASSENGER, "firstName": "Annabella", "type": "infant", "dateOfBirth": "2025-01-31"}


def a_partner(**terms: Any) -> Onboarded:
    """A partner with 100,000.00 on either wallet, and no limit that a test would meet."""
    common = {
        "name": "Acme Travel",
        "currency": "EUR",
        "balance_cents": BALANCE_CENTS,
        "live": True,
        "scopes": ENFORCED,
        "rates": {"SEARCH": 100_000, "BOOKING": 100_000, "READ": 100_000},
    }
    return new_partner(Terms(**{**common, **terms}))


def in_days(days: int) -> str:
    """A date so many days ahead, as the wire writes it."""
    return (clock.today() + timedelta(days=days)).isoformat()


def faults(reply: Reply) -> list[str]:
    """The fields that a 400 names."""
    assert (reply.status, reply.error_type) == (400, "invalid_request"), reply.body
    return [detail["field"] for detail in reply.error["details"]]


def refusal(reply: Reply) -> tuple[int, str | None]:
    return reply.status, reply.error_type


def without(body: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in names}


@dataclass
class Desk(FlightShop):
    """A partner at work."""

    api: Api

    def searched(self, **changes: Any) -> dict[str, Any]:
        """The answer to a search from Lisbon to Berlin, two months ahead."""
        reply = self.api.post("/v1/flights/searches", search_body(**changes))
        assert reply.status == 201, reply.body
        return dict(reply.body)

    def flexible(self, **changes: Any) -> dict[str, Any]:
        """The first offer of a search that may be returned and changed."""
        return next(
            offer for offer in self.searched(**changes)["offers"] if offer["conditions"]["refundable"]
        )

    def reprice(self, offer: dict[str, Any], **headers: str) -> Reply:
        return self.api.get(f"/v1/flights/offers/{offer['offerId']}", **headers)

    def round_trip(self) -> dict[str, Any]:
        """A ticketed order there and, ten days later, back."""
        return self.ordered(self.flexible(returnDate=in_days(70)))

    def ask_options(self, order: dict[str, Any], leg: int = 0, days: int = 67, **headers: str) -> Reply:
        """The answer to: what would it cost to fly the order's `leg` in so many days?"""
        path = f"/v1/flights/orders/{order['id']}/change-options"
        return self.api.post(path, options_body(order["slices"][leg], days), **headers)

    def options_of(self, order: dict[str, Any], leg: int = 0, days: int = 67) -> list[dict[str, Any]]:
        """The ways to change the order's `leg`, the cheapest first."""
        reply = self.ask_options(order, leg, days)
        assert reply.status == 200, reply.body
        return list(reply.body["options"])

    def confirm(
        self, order: dict[str, Any], option: dict[str, Any], key: str | None = None, **headers: str
    ) -> Reply:
        path = f"/v1/flights/orders/{order['id']}/change"
        return self.api.post(path, {"changeId": option["changeId"]}, key, **headers)

    def changed(self, order: dict[str, Any], option: dict[str, Any]) -> dict[str, Any]:
        """The order after the change, which must succeed."""
        reply = self.confirm(order, option)
        assert reply.status == 200, reply.body
        return dict(reply.body["order"])


def search_body(**changes: Any) -> dict[str, Any]:
    """A search; days given as numbers are so many ahead, and what is ... is left out."""
    body = {"origin": "LIS", "destination": "BER", "departureDate": 60, **changes}
    return {name: value for name, value in dated(body).items() if value is not ...}


def slices_body(slices: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A search of these slices, whose days are numbers as well."""
    return {**dated(changes), "slices": [dated(one) for one in slices]}


def dated(body: dict[str, Any]) -> dict[str, Any]:
    days = {
        name: in_days(body[name]) for name in ("departureDate", "returnDate") if type(body.get(name)) is int
    }
    return {**body, **days}


def options_body(leg: dict[str, Any], days: int = 67) -> dict[str, Any]:
    """Another day for `leg`."""
    added = {"origin": leg["origin"], "destination": leg["destination"], "departureDate": in_days(days)}
    return {"removeSliceId": leg["sliceId"], "add": added}


def funds(partner: Onboarded, environment: str = "test") -> tuple[int, int]:
    """Available and held."""
    balance = balance_of(partner.account.id, environment)
    return balance.available_cents, balance.held_cents


def lines(partner: Onboarded) -> list[tuple[str, int, int]]:
    """The ledger after the top-up, oldest first: type, effect on available, effect on held."""
    entries = ledger_of(partner.account.id, "test").exclude(type="top_up").order_by("created_at", "id")
    return [(line.type, line.amount_cents, line.held_delta_cents) for line in entries]


def told() -> list[tuple[str, dict[str, Any]]]:
    """The events, oldest first, without what every event of a booking says; those of one moment by their names."""
    common = ("bookingType", "bookingId", "bookingReference", "externalReference", "currency")
    found = Event.objects.order_by("created_at", "type")
    return [(event.type, without(orjson.loads(event.payload)["data"], *common)) for event in found]


def desk_of(secret: str | None) -> Desk:
    assert secret is not None
    return Desk(Api(secret))
