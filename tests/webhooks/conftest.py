"""What the webhook tests share: a receiver, endpoints that point at it, and a dispatcher that is run by hand."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings

from apps.common import clock, redis
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded, Terms
from apps.webhooks import wakeups
from apps.webhooks.deliveries import dispatch
from apps.webhooks.deliveries.claim import Batch
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.sender import Sender
from config.celery import app
from tests.factories.partners import new_partner
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.api import Api
from tests.support.receiver import Receiver, receiving
from tests.webhooks.recoveries import ago

Deliver = Callable[..., int]


def use_broker(url: str) -> None:
    """Send messages to `url` from now on; the pool of connections to the old one is forgotten."""
    app.conf.broker_url = url
    app._after_fork()


@pytest.fixture(autouse=True)
def _own_broker() -> Iterator[None]:
    """Wake-ups go to the tests' own Redis, which is emptied of them before each test."""
    before = app.conf.broker_url
    use_broker(settings.REDIS_URL.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host="))
    redis.run(lambda client: client.delete(wakeups.KEY, "webhooks"), insist=True)
    yield
    use_broker(before)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Accepts everything."""
    with receiving() as running:
        yield running


@pytest.fixture
def endpoint(receiver: Receiver) -> Endpoint:
    """An enabled endpoint at the receiver."""
    return EndpointFactory(url=receiver.url)


@pytest.fixture
def deliver() -> Deliver:
    """Deliver what is due, over connections of its own, however long this machine takes; how many attempts were made."""

    def run(**options: object) -> int:
        sender = Sender(allow_local=True)
        try:
            return Dispatcher(using=sender).run(**{"seconds": 300.0, **options})  # type: ignore[arg-type]
        finally:
            sender.close_idle(everything=True)

    return run


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Time stands still, for batches too, until `stopped_clock(seconds=2.5)` moves it."""
    instant = clock.now()

    def move(**delta: float) -> None:
        nonlocal instant
        instant += timedelta(**delta)

    monkeypatch.setattr(clock, "_database_now", lambda: instant)
    monkeypatch.setattr(Batch, "age", property(lambda batch: (instant - batch.claimed_at).total_seconds()))
    return move


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch, stopped_clock: Callable[..., None]) -> list[float]:
    """How long dispatchers waited for what becomes due: nobody does, it is the clock that moves."""
    began, slept = clock.now(), []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        stopped_clock(seconds=seconds)

    def monotonic() -> float:
        return (clock.now() - began).total_seconds()

    monkeypatch.setattr(dispatch, "time", SimpleNamespace(monotonic=monotonic, sleep=sleep))
    return slept


def due_deliveries(endpoint: Endpoint, count: int, **fields: object) -> list[Delivery]:
    return DeliveryFactory.create_batch(count, endpoint=endpoint, **fields)


def statuses() -> dict[str, int]:
    return dict(Counter(Delivery.objects.values_list("status", flat=True)))


@dataclass
class Partners:
    """One account with keys of both environments, and a stranger."""

    test: Api
    live: Api
    stranger: Api
    account_id: str


@pytest.fixture
def partners(db: None) -> Partners:
    ours, other = onboard(), onboard()
    return Partners(
        test=Api(ours.test_secret),
        live=Api(str(ours.live_secret)),
        stranger=Api(other.test_secret),
        account_id=ours.account.id,
    )


@pytest.fixture
def api(partners: Partners) -> Api:
    return partners.test


def onboard() -> Onboarded:
    """A partner whose keys have every scope, and no limit that a test would meet."""
    return new_partner(
        Terms(
            name="Acme Travel",
            currency="EUR",
            balance_cents=0,
            live=True,
            scopes=ENFORCED,
            rates={"SEARCH": 100_000, "BOOKING": 100_000, "READ": 100_000},
        )
    )


@pytest.fixture
def old() -> Endpoint:
    """An endpoint that exists for a month."""
    return EndpointFactory(created_at=ago(720))
