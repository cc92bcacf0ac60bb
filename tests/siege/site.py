"""The service behind nginx with the configuration of deploy/, and its partners. Live flights come from a supplier that hangs."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from apps.keys.scopes import ENFORCED
from tests.flights.suppliers.duffel import paths, stub
from tests.flights.suppliers.duffel.office import TOKEN
from tests.support import supplier_stub
from tests.support.nginx import nginx
from tests.support.own_service import own_database
from tests.support.stack import HttpApi, manage, serving

RAISED = ("--rate", "SEARCH=100000000,BOOKING=100000000,READ=100000000", "--search-quota", "100000000")
LIMITS = {"victim": RAISED, "heavy": RAISED, "attacker": (), "pinned": ("--allowed-ips", "203.0.113.7")}


@dataclass(frozen=True)
class Site:
    """`port` is nginx's. `victim` and `heavy` have raised limits, `attacker` the usual ones; `pinned` has one address."""

    port: int
    keys: dict[str, dict[str, str]]

    def api(self, partner: str, environment: str = "test") -> HttpApi:
        return HttpApi(f"http://127.0.0.1:{self.port}", self.keys[partner][environment])


@contextmanager
def running() -> Iterator[Site]:
    with ExitStack() as stack:
        supplier = stack.enter_context(supplier_stub.serving(stub.DuffelStub()))
        hang = supplier_stub.Trouble(end="hang", accept=False, times=-1)
        supplier.trouble("POST", paths.OFFER_REQUESTS, hang)
        environment: dict[str, object] = {
            "DATABASE_URL": stack.enter_context(own_database(f"siege_{os.getpid()}")),
            "FLIGHTS_SUPPLIER": "duffel",
            "DUFFEL_ACCESS_TOKEN": TOKEN,
            "DUFFEL_BASE_URL": supplier.url,
            "TRUSTED_PROXY_COUNT": "1",
            "REDIS_TIMEOUT_SECONDS": "2",  # it is there, however busy the machine is
        }
        keys = {name: partner(environment, name, terms) for name, terms in LIMITS.items()}
        url = stack.enter_context(serving(environment, workers=2, threads=8))
        yield Site(stack.enter_context(nginx(int(url.rpartition(":")[2]))), keys)


def partner(environment: dict[str, object], name: str, limits: tuple[str, ...]) -> dict[str, str]:
    terms = ["--name", name, "--currency", "EUR", "--balance-cents", "900000000000", "--live"]
    scopes = ["--scopes", ",".join(sorted(ENFORCED))]
    made = json.loads(manage(environment, "create_partner", *terms, *scopes, *limits, "--json"))
    return {"test": made["testKey"], "live": made["liveKey"]}
