"""The four suppliers' stand-ins as processes of their own, and a database and a Redis for a service that sells from them.

Servers of its own for both: a service that runs already works on the checkout's with other suppliers, and would look up there
what was bought here.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from config.embedded import prepare_environment
from tests.demo.telling import Failed, line
from tests.esim.suppliers.airalo import stub as airalo
from tests.flights.suppliers.duffel import stub as duffel
from tests.flights.suppliers.duffel.office import TOKEN
from tests.hotels.suppliers.liteapi import stub as liteapi
from tests.hotels.suppliers.liteapi.books import Books
from tests.support.databases import drop_database
from tests.support.private_redis import PrivateRedis
from tests.transfers.suppliers.hotelbeds import stub as hotelbeds

BASE_DIR = Path(__file__).resolve().parent.parent.parent
RATES = f"""base,quote,rate,as_of
USD,EUR,0.86,{datetime.now(UTC):%Y-%m-%d}
GBP,EUR,1.15,{datetime.now(UTC):%Y-%m-%d}
"""

STAND_INS = {
    "Duffel": duffel,
    "LiteAPI": liteapi,
    "Hotelbeds": hotelbeds,
    "Airalo": airalo,
}


def settings_for(urls: Mapping[str, str]) -> dict[str, str]:
    """What an operator with four contracts puts into the environment."""
    return {
        "FLIGHTS_SUPPLIER": "duffel",
        "DUFFEL_ACCESS_TOKEN": TOKEN,
        "DUFFEL_WEBHOOK_SECRET": duffel.SECRET,
        "DUFFEL_BASE_URL": urls["Duffel"],
        "HOTELS_SUPPLIER": "liteapi",
        "LITEAPI_KEY": liteapi.KEY,
        "LITEAPI_BASE_URL": urls["LiteAPI"] + liteapi.SEARCHING,
        "LITEAPI_BOOKING_BASE_URL": urls["LiteAPI"] + liteapi.BOOKING,
        "LITEAPI_PAYMENT_METHOD": Books.payment_method,
        "LITEAPI_WEBHOOK_TOKEN": liteapi.WEBHOOK_TOKEN,
        "TRANSFERS_SUPPLIER": "hotelbeds",
        "HOTELBEDS_TRANSFERS_KEY": hotelbeds.KEY,
        "HOTELBEDS_TRANSFERS_SECRET": hotelbeds.SECRET,
        "HOTELBEDS_BASE_URL": urls["Hotelbeds"].removesuffix(hotelbeds.HotelbedsStub.prefix),
        "ESIM_SUPPLIER": "airalo",
        "AIRALO_CLIENT_ID": airalo.CLIENT_ID,
        "AIRALO_CLIENT_SECRET": airalo.CLIENT_SECRET,
        "AIRALO_BASE_URL": urls["Airalo"],
    }


@contextmanager
def stand_ins() -> Iterator[None]:
    """For the length of the block, whatever this process starts sells live keys from the stand-ins."""
    before = dict(os.environ)
    with ExitStack() as stack:
        prepare_environment()
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="travel-demo-")))
        redis = PrivateRedis(directory)
        stack.callback(redis.kill)
        urls = {name: stack.enter_context(started(name)) for name in STAND_INS}
        database_url = stack.enter_context(a_database(os.environ["DATABASE_URL"]))
        os.environ.update(
            {
                "DATABASE_URL": database_url,
                "REDIS_URL": redis.url,
                "RECONCILIATION_SECONDS": "1",
                "SUPPLIER_NEWS_SECONDS": "2",
            }
        )
        os.environ.update(settings_for(urls))
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


@contextmanager
def started(name: str) -> Iterator[str]:
    """One stand-in's address."""
    command = [sys.executable, "-m", STAND_INS[name].__name__]
    with subprocess.Popen(command, cwd=BASE_DIR, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            if not url:
                raise Failed(f"the stand-in for {name} did not start")
            line("run", name, "", url)
            yield url
        finally:
            process.kill()


@contextmanager
def a_database(server_url: str) -> Iterator[str]:
    """An empty one on the same server."""
    name = f"demo_{os.getpid()}"
    server = urlsplit(server_url)
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield server._replace(path=f"/{name}").geturl()
        finally:
            drop_database(connection, name)
