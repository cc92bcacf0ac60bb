"""A webhook promise in its full size (reliability W5): `make chaos` alone; the suite has a small one."""

import time
from collections.abc import Callable

import pytest

from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Attempt
from apps.webhooks.sender import Sender
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Received, Reply, receiving

pytestmark = [pytest.mark.usefixtures("only_in_chaos"), pytest.mark.django_db(transaction=True)]

Figure = Callable[[str], None]


def test_five_hanging_endpoints_delay_fifty_healthy_ones_for_no_time(figure: Figure) -> None:
    """Half of the hanging ones say nothing, half drip their answer byte by byte; ten seconds as in production."""

    def hang(received: Received) -> Reply:
        return Reply(drip=1.0, body=b"x" * 60) if received.path.endswith("drip") else Reply(wait=60)

    with receiving(hang) as hanging, receiving() as healthy:
        for number in range(5):
            url = f"{hanging.url}/drip" if number % 2 else hanging.url
            DeliveryFactory.create_batch(20, endpoint=EndpointFactory(url=url))
        for endpoint in EndpointFactory.create_batch(50, url=healthy.url):
            DeliveryFactory.create_batch(20, endpoint=endpoint)
        started, sender = time.monotonic(), Sender(allow_local=True)
        Dispatcher(using=sender).run(seconds=15)
        sender.close_idle(everything=True)
        waited = sorted(request.at - started for request in healthy.requests)
    p95 = waited[int(0.95 * len(waited))]
    longest = max(Attempt.objects.exclude(status_code=200, error="").values_list("duration_ms", flat=True))
    assert len(waited) == 1_000
    assert p95 < 2.0
    assert longest <= 10_500
    assert hanging.most_in_flight <= 10
    figure(
        f"W5: 1,000 deliveries to 50 healthy endpoints beside 5 hanging ones: p95 {p95:.2f} s; longest {longest} ms"
    )
