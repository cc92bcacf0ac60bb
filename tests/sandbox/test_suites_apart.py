"""Eight test suites in eight sandboxes of one account at once, over HTTP: none of them sees a row of another.

Each books every product, registers an endpoint and reads every listing. Then each asks for what the others own, and one of them
resets its sandbox. The operations come from the declared routes, so that one which is added is tried as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Barrier

import pytest

from apps.accounts.models import Account
from apps.esim.models import Plan
from apps.esim.services.sync import sync_plans
from apps.keys.scopes import GRANTABLE
from apps.onboarding.sandboxes import open_sandbox
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.support import stack
from tests.support.api import Reply
from tests.support.flight_shop import CONTACT, PASSENGER, day
from tests.support.operations import Operation, operations
from tests.support.stack import HttpApi, serving
from tests.support.threads import all_at_once

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SUITES = 8
LIMITLESS = {f"rate_{name}": 10**6 for name in ("search", "booking", "read")}
OWN_ID = re.compile(
    r'"((?:hsr|rate|hbk|fsr|offer|ford|slice|tsr|quote|tord|eord|we|evt|whd|led|key)_[0-9a-z]+)"'
)
KIND_AT = {
    "/v1/hotels/searches": "hsr",
    "/v1/hotels/rates": "rate",
    "/v1/hotels/bookings": "hbk",
    "/v1/flights/offers": "offer",
    "/v1/flights/orders": "ford",
    "/v1/transfers/orders": "tord",
    "/v1/esim/orders": "eord",
    "/v1/webhooks/endpoints": "we",
    "/v1/webhooks/deliveries": "whd",
}
"""Which id belongs in the place of a path's parameter."""
LEAD = {"firstName": "Ada", "lastName": "Lovelace", **CONTACT}
GUESTS = [{"firstName": name, "lastName": "Lovelace", "type": "adult"} for name in ("Ada", "Anne")]


def reads() -> Iterator[tuple[Operation, str]]:
    """Every GET that needs a key, with the kind of id in its path; empty for one that takes none."""
    for operation in operations():
        place, _, rest = operation.path.partition("/{")
        if operation.method == "GET" and operation.route.scope and (not rest or place in KIND_AT):
            yield operation, KIND_AT[place] if rest else ""


def takes_no_more(operation: Operation) -> bool:
    """Whether it answers with JSON, and without a query."""
    needed = any(parameter.schema.get("required") for parameter in operation.route.query)
    return operation.route.answer is not None and not needed


@dataclass
class Suite:
    """One system of a partner, and the ids that it has met."""

    api: HttpApi
    url: str
    met: set[str] = field(default_factory=set)

    def ask(self, reply: Reply, status: int) -> Reply:
        assert reply.status == status, reply.body
        self.met |= set(OWN_ID.findall(reply.content.decode()))
        return reply

    def post(self, path: str, body: object, status: int = 201) -> Reply:
        return self.ask(self.api.post(path, body), status)

    def run(self, plan_id: str) -> None:
        """Use every product."""
        self.post("/v1/webhooks/endpoints", {"url": self.url, "events": ["booking.confirmed"]})
        flights = self.post("/v1/flights/searches", {**trip(), "limit": 2}).body
        order = {"offerId": flights["offers"][0]["offerId"], "passengers": [PASSENGER], "contact": CONTACT}
        self.post("/v1/flights/orders", {**order, "externalReference": "same-everywhere"})
        hotels = self.post("/v1/hotels/searches", {"limit": 1}).body["hotels"]
        rate = {"rateId": hotels[0]["rates"][0]["rateId"], "guests": GUESTS, "contact": CONTACT}
        booking = self.post("/v1/hotels/bookings", rate).body
        self.post(f"/v1/hotels/bookings/{booking['id']}/cancel", {}, 200)
        transfers = self.post("/v1/transfers/searches", ride()).body["offers"]
        self.post("/v1/transfers/orders", {"quoteId": transfers[0]["quoteId"], "leadPassenger": LEAD})
        self.post("/v1/esim/orders", {"planId": plan_id, "externalReference": "same-everywhere"})

    def read_all(self) -> set[str]:
        """The ids in all listings."""
        before, self.met = self.met, set()
        for operation, kind in reads():
            if not kind and takes_no_more(operation):
                self.ask(self.api.get(listing_of(operation)), 200)
        listed, self.met = self.met, before | self.met
        return listed


def trip() -> dict[str, object]:
    return {"origin": "LIS", "destination": "BER", "departureDate": day(60).isoformat()}


def ride() -> dict[str, object]:
    to = {"type": "GEO", "latitude": 41.39, "longitude": 2.17, "address": "Rambla 1", "town": "Barcelona"}
    outbound = f"{day(60).isoformat()}T14:30:00"
    return {"from": {"type": "IATA", "code": "BCN"}, "to": to, "outbound": outbound, "adults": 2}


def listing_of(operation: Operation) -> str:
    needed = {"/v1/operations": "?idempotencyKey=no-such-key", "/v1/places": "?query=lisbon"}
    query = needed.get(operation.path, "")
    return operation.path + query


def seen_of_others(suite: Suite, others: list[Suite]) -> list[str]:
    """What it was answered when it asked for one thing of each kind that each of the others owns: all but 404 and 410."""
    found, asked = [], 0
    for other in others:
        for operation, kind in reads():
            theirs = sorted(id for id in other.met if kind and id.startswith(f"{kind}_"))
            for path in {operation.url_of(id) for id in theirs[:1]}:
                asked += 1
                status = suite.api.get(path).status
                if status != (410 if kind in {"rate", "offer"} else 404):
                    found.append(f"{path}: {status}")
    assert asked >= len(others) * len(set(KIND_AT.values()))
    return found


def keyed(account: Account, address: str, number: int) -> Suite:
    secret = issued_key(account, scopes=GRANTABLE)[1]
    return Suite(HttpApi(address, secret), f"https://suite-{number}.partner.example/hooks")


def test_eight_suites_at_once_see_no_row_of_each_other():
    account = WalletFactory(account=AccountFactory(**LIMITLESS), cents=1_000_000).account
    rows = [account, *(open_sandbox(account=account, name=f"CI {n}").account for n in range(SUITES - 1))]
    sync_plans()
    plan_id = Plan.objects.filter(environment="test", withdrawn_at=None).order_by("pk")[0].pk
    together = Barrier(SUITES, timeout=120)

    with serving({"DATABASE_URL": stack.test_database_url()}, workers=2, threads=4) as address:
        suites = [keyed(row, address, number) for number, row in enumerate(rows)]

        def play(suite: Suite) -> tuple[set[str], list[str]]:
            suite.run(plan_id)
            together.wait()
            listed = suite.read_all()
            together.wait()
            return listed, seen_of_others(suite, [each for each in suites if each is not suite])

        played = all_at_once([lambda suite=suite: play(suite) for suite in suites])
        listings = [listed for listed, _ in played]
        rows_seen = sum(len(one & two) for i, one in enumerate(listings) for two in listings[:i])
        assert min(len(listed) for listed in listings) >= 10
        assert rows_seen == 0
        assert [found for _, found in played] == [[]] * SUITES
        owned = [suite.met for suite in suites]
        assert sum(len(one & two) for i, one in enumerate(owned) for two in owned[:i]) == 0

        reset, *others = suites
        assert reset.api.post("/sandbox/reset").status == 200
        for path in ("/v1/flights/orders", "/v1/hotels/bookings", "/v1/transfers/orders", "/v1/esim/orders"):
            assert reset.api.get(path).body["data"] == []
            assert len(others[0].api.get(path).body["data"]) == 1
        shown = {each.api.get("/v1/account").body["id"] for each in suites}
        assert shown == {account.pk}
