"""The world of a scenario: one connector, one partner, no waiting."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import DataError
from django.test import override_settings

from apps.common.errors import GatewayError
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Terms
from apps.suppliers import http
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import Limits, SupplierHTTP
from tests.factories.partners import new_partner
from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.connectors import SHOPS, bench_of
from tests.suppliers.kit.world import BALANCE_CENTS, World, wait_until
from tests.support.api import Api

SHORT = Limits(connect=20, read=0.3, total=20)
DRIPS = Limits(connect=20, read=20, total=0.4)
TERMS = Terms(
    name="Kit Travel",
    currency="EUR",
    balance_cents=BALANCE_CENTS,
    live=True,
    scopes=ENFORCED,
    rates={"SEARCH": 100_000, "BOOKING": 100_000, "READ": 100_000},
)


@pytest.fixture
def bench(connector: str) -> Iterator[Bench]:
    """`connector` is the parameter of the test."""
    with bench_of(connector) as bench:
        yield bench


@pytest.fixture
def world(
    bench: Bench,
    transactional_db: None,
    move_clock: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[World]:
    wait_for_nothing(bench, monkeypatch)
    with live_keys_at(bench):
        bench.prepare()
        partner = new_partner(TERMS)
        assert partner.live_secret is not None
        world = World(bench, SHOPS[bench.product](Api(partner.live_secret)), partner, move_clock)
        with crashes_noted(world.crashes):
            yield world


class Crashes(logging.Handler):
    """Notes what was logged with an exception that is no refusal. What could not be stored is looked up again: no crash."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.found = found

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, SupplierError | GatewayError | DataError):
            self.found.append(f"{record.getMessage()}: {type(error).__name__} {error}")


@contextmanager
def crashes_noted(found: list[str]) -> Iterator[None]:
    handler = Crashes(found)
    logging.getLogger("apps").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("apps").removeHandler(handler)


@contextmanager
def live_keys_at(bench: Bench, **credentials: Any) -> Iterator[None]:
    with override_settings(
        SUPPLIERS={**settings.SUPPLIERS, bench.product: {"live": bench.vendor}},
        SUPPLIER_CREDENTIALS={
            **settings.SUPPLIER_CREDENTIALS,
            bench.vendor: {**bench.credentials(), **credentials},
        },
    ):
        yield


def wait_for_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between attempts; and who is not going to answer is soon given up, once it has heard the request."""
    monkeypatch.setattr(http, "BACKOFF_SECONDS", (0.0, 0.0))
    patient = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: None)
    monkeypatch.setattr(http, "time", patient)
    for name in ("read", "write"):
        monkeypatch.setattr(SupplierHTTP, name, _impatient(bench, getattr(SupplierHTTP, name)))


def _impatient(bench: Bench, send: Callable[..., Any]) -> Callable[..., Any]:
    def sent(http: SupplierHTTP, method: str, path: str, **parts: Any) -> Any:
        whole = (urlsplit(http.base_url).path + path).removeprefix(bench.stub.prefix)
        query = {name: str(value) for name, value in dict(parts.get("query") or {}).items()}
        step = bench.step_of(method, whole, query)
        damage = bench.next_damage(step)
        if damage is None or not damage.silent:
            return send(http, method, path, **parts)
        parts["limits"] = DRIPS if damage.end == "drip" else SHORT
        before = len(bench.stub.heard)
        try:
            return send(http, method, path, **parts)
        finally:
            wait_until(lambda: len(bench.stub.heard) > before)

    return sent
