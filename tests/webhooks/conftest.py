"""What the webhook tests share: a receiver, endpoints that point at it, and a dispatcher that is run by hand."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from apps.common import redis
from apps.webhooks import wakeups
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.sender.client import Sender
from apps.webhooks.services.dispatch import Dispatcher
from config.celery import app
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Receiver, receiving

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
    """Deliver what is due, over connections of its own; how many attempts were made."""

    def run(**options: object) -> int:
        sender = Sender(allow_local=True)
        try:
            return Dispatcher(using=sender).run(**options)  # type: ignore[arg-type]
        finally:
            sender.close_idle(everything=True)

    return run


def due_deliveries(endpoint: Endpoint, count: int) -> list[Delivery]:
    return DeliveryFactory.create_batch(count, endpoint=endpoint)
