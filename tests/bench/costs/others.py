"""Transfers, eSIMs, the account, and the probes."""

import uuid
from datetime import timedelta

from apps.common import clock
from apps.gateway.models import SearchUsage
from apps.transfers.serializers import FURTHEST, MAX_PARTY
from tests.bench.costs.partner import LISTED, NAMES, TEXT, Asks, Body, Partner
from tests.factories.keys import issued_key
from tests.support.flight_shop import CONTACT

KEYS, PRODUCTS, DAYS = 99, ("flights", "hotels", "transfers"), 92


def ride(adults: int = 1) -> Body:
    """One traveller fits into every vehicle."""
    texts = {"name": TEXT, "address": TEXT, "town": TEXT, "zip": TEXT, "country": "ES"}
    return {
        "from": {"type": "IATA", "code": "BCN", **texts},
        "to": {"type": "GEO", "latitude": 41.39, "longitude": 2.17, **texts},
        "outbound": f"{(clock.today() + FURTHEST).isoformat()}T14:30:00",
        "adults": adults,
        "limit": 100,
    }


def transfers(partner: Partner) -> Asks:
    quote = partner.answer("searchTransfers", ride())["offers"][0]["quoteId"]

    def order() -> Body:
        reference = uuid.uuid4().hex
        return {
            "quoteId": quote,
            "leadPassenger": {**NAMES, **CONTACT},
            "notes": TEXT,
            "externalReference": reference,
        }

    made = partner.booked("createTransferOrder", order())
    yield partner.ask("searchTransfers", "every vehicle, longest texts, limit 100", ride)
    yield partner.ask("searchTransfers", f"{MAX_PARTY} travellers, limit 100", lambda: ride(MAX_PARTY))
    yield partner.ask("createTransferOrder", "longest texts", order)
    yield partner.reading("getTransferOrder", "longest texts", id=made["id"])
    yield partner.reading("listTransferOrders", f"limit {LISTED}, longest texts", query="limit=100")
    yield partner.sending(
        "cancelTransferOrder",
        "longest reason",
        lambda: partner.request(
            "cancelTransferOrder", {"reason": TEXT}, id=partner.answer("createTransferOrder", order())["id"]
        ),
    )


def esims(partner: Partner) -> Asks:
    plan = partner.answer("listEsimPlans")["data"][0]["id"]
    made = partner.booked("createEsimOrder", {"planId": plan})
    yield partner.reading("listEsimPlans", "pageSize 100", query="pageSize=100")
    yield partner.reading("listEsimPlans", "pageSize 100, by country", query="pageSize=100&country=PT")
    yield partner.reading("listEsimPlans", "the last page there can be", query="pageSize=100&page=1000000")
    yield partner.reading("getEsimPlan", "any", id=plan)
    yield partner.ask("createEsimOrder", "any", lambda: {"planId": plan})
    yield partner.reading("getEsimOrder", "any", id=made["id"])
    yield partner.reading("getEsimUsage", "any", id=made["id"])
    yield partner.reading("getEsimInstructions", "any", id=made["id"])
    added = partner.answer("listEsimTopUpPlans", id=made["id"])["plans"][0]["id"]
    yield partner.reading("listEsimTopUpPlans", "any", id=made["id"])
    yield partner.sending(
        "createEsimTopUp",
        "any",
        lambda: partner.request("createEsimTopUp", {"planId": added}, id=made["id"]),
    )
    yield partner.reading("listEsimOrders", f"limit {LISTED}", query="limit=100")


def account(partner: Partner) -> Asks:
    keys = [issued_key(partner.account)[0] for _ in range(KEYS)]
    last = clock.today()
    SearchUsage.objects.bulk_create(
        SearchUsage(
            account=partner.account, environment="test", day=day, product=product, key=key, billable=1
        )
        for day in (last - timedelta(days=n) for n in range(DAYS))
        for product in PRODUCTS
        for key in keys
    )
    yield partner.reading("getAccount", "any")
    yield partner.reading("findOperation", "never seen")
    yield partner.reading("listLedgerEntries", "limit 100", query="limit=100")
    yield partner.reading("listLedgerEntries", "limit 100, by type", query="limit=100&type=capture")
    first = last - timedelta(days=DAYS - 1)
    yield partner.reading(
        "getSearchUsage", f"{DAYS} days, {KEYS} keys, each product", query=f"from={first}&to={last}"
    )


def probes(partner: Partner) -> Asks:
    for operation in ("ping", "health", "healthReady", "healthFull"):
        yield partner.reading(operation, "any")
