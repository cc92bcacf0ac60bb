"""A process of the service that delivers as many as it is told, one line each (`ours 4000`), and prints how many a second."""

import sys
import time

import django

django.setup()

from django.db import transaction  # noqa: E402

from apps.webhooks.deliveries.dispatch import Dispatcher  # noqa: E402
from apps.webhooks.events import Fact, emit_many  # noqa: E402
from apps.webhooks.models import Delivery  # noqa: E402
from apps.webhooks.services.endpoints import create_endpoint  # noqa: E402
from tests.bench.naive import deliver as naive_task  # noqa: E402
from tests.factories.accounts import AccountFactory  # noqa: E402

ENDPOINTS = 20
FACT = Fact(
    "booking.confirmed",
    {"bookingId": "ford_01kb2c0000000000000000000a", "totalCents": 12_300, "currency": "EUR"},
)


def emit(account_id: str, deliveries: int) -> None:
    with transaction.atomic():
        emit_many(account_id=account_id, environment="test", facts=[FACT] * (deliveries // ENDPOINTS))


def ours(count: int) -> None:
    assert Dispatcher().run(seconds=300) == count


def naive(count: int) -> None:
    """By the other worker's one process."""
    for delivery_id in Delivery.objects.filter(status="PENDING").values_list("pk", flat=True):
        naive_task.delay(delivery_id)
    while Delivery.objects.filter(next_attempt_at__isnull=False).exists():
        time.sleep(0.01)


def main(url: str) -> None:
    account = AccountFactory()
    for _ in range(ENDPOINTS):
        create_endpoint(account_id=account.pk, environment="test", url=url, events=[FACT.type])
    for line in sys.stdin:
        name, number = line.split()
        emit(account.pk, int(number))
        began = time.perf_counter()
        {"ours": ours, "naive": naive}[name](int(number))
        print(int(number) / (time.perf_counter() - began), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
