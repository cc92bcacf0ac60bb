"""Fills a database of this release as `migrations` fills one of the release before. Prints what is wrong: one JSON object."""

import json
import sys

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from apps.bookings.services.reconcile import settle_owed  # noqa: E402
from apps.common import clock  # noqa: E402
from apps.gateway.request_log import writer  # noqa: E402
from apps.gateway.request_log.drain import drain  # noqa: E402
from apps.ledger.services.check_ledger import check_ledger  # noqa: E402
from apps.webhooks.models import Attempt, Delivery  # noqa: E402
from tests.contract.goods import Goods  # noqa: E402
from tests.deploy.rehearsal.filled import TABLES, fill, untied  # noqa: E402
from tests.factories.webhooks import EndpointFactory  # noqa: E402
from tests.support.api import Api  # noqa: E402
from tests.transfers.agency import a_partner  # noqa: E402

BALANCE_CENTS = 10**12


def models() -> tuple[str, str]:
    """A hotel's booking and a transfer's order of the first of two partners, settled, told and logged."""
    setup_test_environment()
    first, second = a_partner(balance_cents=BALANCE_CENTS), a_partner(balance_cents=BALANCE_CENTS)
    endpoint = EndpointFactory(account=first.account, environment="test")
    EndpointFactory(account=second.account, environment="test")
    goods = Goods(Api(first.test_secret))
    made = str(goods.hotel_booking["id"]), str(goods.transfer_order["id"])
    settle_owed(seconds=float("inf"))
    assert writer.writer.flush()
    drain()
    for delivery in Delivery.objects.all():
        Attempt.objects.create(
            delivery=delivery,
            endpoint=endpoint,
            number=1,
            attempted_at=clock.now(),
            duration_ms=40,
            status_code=200,
        )
    Delivery.objects.update(
        status="DELIVERED", attempt_count=1, next_attempt_at=None, completed_at=clock.now()
    )
    return made


def main(rows: int) -> dict[str, object]:
    hotel, transfer = models()
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        fill(cursor, hotel, transfer, rows, lambda words: None)
        found: dict[str, object] = {
            "untied": untied(cursor),
            "differences": [str(each) for each in check_ledger()],
        }
        for table in TABLES:
            cursor.execute(f"SELECT count(*) FROM {table}")
            found[table] = cursor.fetchone()[0]
    return found


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))), flush=True)
