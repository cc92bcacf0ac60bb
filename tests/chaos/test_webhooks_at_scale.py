"""The webhook promises in their full sizes (reliability W3, W4, W5, W7): `make chaos` alone; the suite has small ones."""

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
import standardwebhooks
import stripe

from apps.webhooks import selectors
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.retry_schedule import RETRY_DELAYS
from apps.webhooks.sender import Sender
from apps.webhooks.services.endpoints import rotate_secret
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Received, Reply, receiving
from tests.support.threads import all_at_once

pytestmark = [pytest.mark.usefixtures("only_in_chaos"), pytest.mark.django_db(transaction=True)]

Figure = Callable[[str], None]


def deliver(**options: float) -> int:
    sender = Sender(allow_local=True)
    try:
        return Dispatcher(using=sender).run(**options)
    finally:
        sender.close_idle(everything=True)


def test_hundred_deliveries_climb_the_whole_ladder_on_time(
    move_clock: Callable[..., None], figure: Figure
) -> None:
    with receiving(Reply(status=500)) as receiver:
        for endpoint in EndpointFactory.create_batch(
            20, url=receiver.url
        ):  # five each: too few to disable one
            DeliveryFactory.create_batch(5, endpoint=endpoint)
        assert deliver() == 100
        for delay in RETRY_DELAYS:
            move_clock(seconds=delay.total_seconds() - 4)
            assert deliver() == 0
            move_clock(seconds=4)
            assert deliver() == 100
        move_clock(days=7)
        assert deliver() == 0
    drifts = []
    for delivery in Delivery.objects.all():
        times = [attempt.attempted_at for attempt in selectors.attempts_of(delivery)]
        assert (delivery.status, delivery.attempt_count, len(times)) == ("EXHAUSTED", 7, 7)
        gaps = zip(pairwise(times), RETRY_DELAYS, strict=True)
        drifts += [((after - before) - delay).total_seconds() for (before, after), delay in gaps]
    assert min(drifts) >= 0
    assert max(drifts) <= 5
    figure(f"W3: 100 deliveries, 700 attempts, 100 exhausted; drift at most {max(drifts):.2f} s")


def test_endpoint_is_disabled_at_exactly_ten_however_many_complete_at_once(figure: Figure) -> None:
    sent = []
    for _ in range(20):
        with receiving(Reply(status=410)) as receiver:
            endpoint = EndpointFactory(url=receiver.url)
            DeliveryFactory.create_batch(40, endpoint=endpoint)
            all_at_once([deliver] * 4)
            endpoint.refresh_from_db()
            sent.append(len(receiver.requests))
            assert deliver() == 0
            assert len(receiver.requests) == sent[-1]
        assert (endpoint.status, endpoint.consecutive_failures) == ("disabled", 10)
        assert Delivery.objects.filter(endpoint=endpoint, status="PENDING").count() == 40 - sent[-1]
    assert set(sent) <= {10, 11}  # the second in flight had left before the tenth was recorded
    figure(
        f"W4: 20 endpoints, 4 dispatchers each: disabled at 10 of 10; sends {dict(Counter(sent))}; 0 after"
    )


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
        started = time.monotonic()
        deliver(seconds=15)
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


def test_thousand_deliveries_of_a_rotation_verify_with_both_secrets(
    move_clock: Callable[..., None], figure: Figure
) -> None:
    with receiving() as receiver:
        endpoint: Endpoint = EndpointFactory(url=receiver.url)
        first = endpoint.secret
        _, second = rotate_secret(endpoint=endpoint)
        for _ in range(10):
            DeliveryFactory.create_batch(100, endpoint=endpoint)
            assert deliver() == 100
            move_clock(seconds=1)
        _, third = rotate_secret(endpoint=endpoint, immediate=True)
        DeliveryFactory.create_batch(100, endpoint=endpoint)
        deliver()
        rotating, after = receiver.requests[:1_000], receiver.requests[1_000:]
    for secret in (first, second):
        assert sum(map(partial(verifies, secret), rotating)) == 1_000
        assert sum(map(partial(verifies, secret), after)) == 0
    assert sum(map(partial(verifies, third), after)) == 100
    assert {len(request.headers["webhook-signature"].split()) for request in after} == {1}
    assert len({request.headers["webhook-timestamp"] for request in rotating}) >= 10
    figure(
        "W7: 1,000 deliveries in a rotation: 1,000 verify with each secret, by both schemes; 0 after an immediate one"
    )


def verifies(secret: str, received: Received) -> bool:
    """Whether both ready-made verifiers say so; they may not disagree."""
    body = received.body.decode()
    try:
        stripe.WebhookSignature.verify_header(
            body, received.headers["X-Service-Signature"], secret, tolerance=300
        )
        stripe_says = True
    except stripe.SignatureVerificationError:
        stripe_says = False
    try:
        standardwebhooks.Webhook(secret).verify(body, received.headers)
        standard_says = True
    except standardwebhooks.WebhookVerificationError:
        standard_says = False
    assert stripe_says == standard_says
    return stripe_says
