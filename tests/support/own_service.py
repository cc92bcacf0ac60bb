"""The service as it runs, on a database of its own, and a partner whose limits are out of the way."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
from django.conf import settings

from apps.keys.scopes import ENFORCED
from tests.support.databases import drop_database
from tests.support.stack import manage, serving
from tests.support.template import template

LIMITS = "SEARCH=100000000,BOOKING=100000000,READ=100000000"


@dataclass(frozen=True)
class Service:
    """Where it listens, the partner's key, and the variables it runs with."""

    url: str
    secret: str
    environment: dict[str, object]


@contextmanager
def running_service(name: str = "") -> Iterator[Service]:
    """What is written here stays out of every other database; `name`s keep two services apart."""
    with own_database(name or f"{settings.DATABASES['default']['TEST']['NAME']}_served") as url:
        environment: dict[str, object] = {
            "DATABASE_URL": url,
            "SANDBOX_SLOW_SECONDS": "0.02",
            "REDIS_TIMEOUT_SECONDS": "10",  # it is there, however busy the machine is
            "TRUSTED_PROXY_COUNT": "1",  # every case comes from an address of its own
        }
        manage(environment, "sync_esim_plans")
        terms = ["--name", "Acme", "--currency", "EUR", "--balance-cents", "900000000000"]
        limits = ["--rate", LIMITS, "--search-quota", "100000000", "--scopes", ",".join(sorted(ENFORCED))]
        partner = json.loads(manage(environment, "create_partner", *terms, *limits, "--json"))
        with serving(environment, workers=2, threads=4) as address:
            yield Service(address, partner["testKey"], environment)


@contextmanager
def own_database(name: str) -> Iterator[str]:
    """The URL of a database with all tables and nothing in them, dropped afterwards."""
    name += os.environ.get("PYTEST_XDIST_WORKER", "")
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as admin:
        drop_database(admin, name)
        admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template()}"')
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            drop_database(admin, name)
