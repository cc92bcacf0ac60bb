"""A process of the service that measures what it is asked to, one line each, and answers with a number."""

import sys
import time
from collections.abc import Callable

import django

django.setup()

from django.db import transaction  # noqa: E402

from apps.webhooks.models import Delivery, Endpoint  # noqa: E402
from apps.webhooks.selectors import BATCHES_PER_ENDPOINT, next_due_at  # noqa: E402
from apps.webhooks.services.claim import claim  # noqa: E402
from apps.webhooks.services.dispatch import Dispatcher  # noqa: E402
from apps.webhooks.services.emit import Fact, emit_many  # noqa: E402
from apps.webhooks.services.endpoints import create_endpoint  # noqa: E402
from tests.bench.naive import deliver as naive_task  # noqa: E402
from tests.factories.accounts import AccountFactory  # noqa: E402

ENDPOINTS = 20
FACT = Fact(
    "booking.confirmed",
    {"bookingId": "ford_01kb2c0000000000000000000a", "totalCents": 12_300, "currency": "EUR"},
)


def places(url: str) -> None:
    """The partner with its endpoints, all at one receiver."""
    account = AccountFactory()
    for _ in range(ENDPOINTS):
        create_endpoint(account_id=account.pk, environment="test", url=url, events=[FACT.type])


def events(deliveries: int) -> None:
    account_id = Endpoint.objects.values_list("account_id", flat=True)[0]
    with transaction.atomic():
        emit_many(account_id=account_id, environment="test", facts=[FACT] * (deliveries // ENDPOINTS))


def ours(count: int) -> float:
    """Deliveries a second of this process."""
    events(count)
    began = time.perf_counter()
    made = Dispatcher().run(seconds=300)
    seconds = time.perf_counter() - began
    assert made == count, made
    return count / seconds


def naive(count: int) -> float:
    """Deliveries a second of the other worker's one process, its messages already waiting."""
    events(count)
    ids = list(Delivery.objects.filter(status="PENDING").values_list("pk", flat=True))
    began = time.perf_counter()
    for delivery_id in ids:
        naive_task.delay(delivery_id)
    while Delivery.objects.filter(next_attempt_at__isnull=False).exists():
        time.sleep(0.01)
    return len(ids) / (time.perf_counter() - began)


def due(count: int) -> float:
    """So many due deliveries, to be claimed again and again."""
    events(count)
    return float(count)


def timed_claim() -> float:
    """Milliseconds of a claim of all that is due; given back afterwards."""
    began = time.perf_counter()
    batches = claim(batches=ENDPOINTS)
    milliseconds = (time.perf_counter() - began) * 1000
    assert (
        sum(len(batch.jobs) for batch in batches)
        == Delivery.objects.filter(next_attempt_at__isnull=False).count()
    )
    Delivery.objects.filter(lease_token__isnull=False).update(lease_token=None, lease_until=None)
    return milliseconds


def timed_idle() -> float:
    """Milliseconds of a sweep that finds nothing it may send: every batch is taken."""
    for _ in range(BATCHES_PER_ENDPOINT):
        claim(batches=ENDPOINTS)
    began = time.perf_counter()
    batches = claim(batches=ENDPOINTS)
    next_due_at()
    milliseconds = (time.perf_counter() - began) * 1000
    assert batches == []
    Delivery.objects.filter(lease_token__isnull=False).update(lease_token=None, lease_until=None)
    return milliseconds


def emit_one() -> float:
    events(ENDPOINTS)
    return 1.0


WORKS: dict[str, Callable[..., float]] = {
    "ready": lambda: float(Endpoint.objects.count()),
    "ours": ours,
    "naive": naive,
    "due": due,
    "claim": timed_claim,
    "idle": timed_idle,
    "emit": emit_one,
}


def main() -> None:
    if not Endpoint.objects.exists():
        places(sys.argv[1])
    for line in sys.stdin:
        name, *numbers = line.split()
        print(WORKS[name](*map(int, numbers)), flush=True)


if __name__ == "__main__":
    main()
