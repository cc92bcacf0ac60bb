"""Fills the tables that `tests.bench.sizes` measures, and says what they take. Ends with one JSON object.

One booking is made with a webhook endpoint that is told of it; each of its rows is then copied. Copies have their own ids, in the
order in which they were written where the service's are, and random ones where the service's are random.
"""

import json
import sys
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from apps.common import clock  # noqa: E402
from apps.gateway.request_log import writer  # noqa: E402
from apps.gateway.request_log.drain import drain  # noqa: E402
from apps.webhooks.models import Attempt, Delivery  # noqa: E402
from tests.contract.goods import Goods  # noqa: E402
from tests.factories.webhooks import EndpointFactory  # noqa: E402
from tests.support.api import Api  # noqa: E402
from tests.transfers.agency import a_partner  # noqa: E402

NUMBER = "lpad(n::text, 20, '0')"
# In no order, and never twice: the multiplier is odd.
RANDOM = "upper(lpad(to_hex(mod(n::bigint * 2654435761, 4294967296)), 8, '0'))"
BIG = "n + 1000000"
# Table → a condition for the model's row → what differs in its copies.
COPIES: dict[str, tuple[str, dict[str, str]]] = {
    "bookings_booking": (
        "true",
        {
            "id": f"'hbk_010000' || {NUMBER}",
            "reference": f"'H-' || {RANDOM}",
            "external_reference": "'trip-' || n",
            "supplier_reference": f"'S-' || {RANDOM}",
        },
    ),
    "bookings_travellerkey": ("true", {"booking_id": f"'hbk_010000' || {NUMBER}"}),
    "bookings_operation": (
        "true",
        {
            "id": BIG,
            "booking_id": f"'hbk_010000' || {NUMBER}",
            "client_ref": f"'H' || {RANDOM}",
            "hold_id": f"'hold_010000' || {NUMBER}",
            "idempotency_record_id": BIG,
        },
    ),
    "ledger_hold": (
        "true",
        {"id": f"'hold_010000' || {NUMBER}", "reference": f"'H' || {RANDOM} || '-' || n"},
    ),
    "ledger_transaction": (
        "type = 'capture'",
        {
            "id": f"'led_010000' || {NUMBER}",
            "reference": f"'H' || {RANDOM} || '-' || n",
            "hold_id": f"'hold_010000' || {NUMBER}",
            "booking_reference": f"'H-' || {RANDOM}",
            "request_id": "gen_random_uuid()",
        },
    ),
    "ledger_entry": ("true", {"id": BIG, "transaction_id": f"'led_010000' || {NUMBER}"}),
    "webhooks_event": (
        "booking_id <> ''",
        {
            "id": f"'evt_010000' || {NUMBER}",
            "booking_id": f"'hbk_010000' || {NUMBER}",
            "booking_reference": f"'H-' || {RANDOM}",
            "arrival": BIG,
            "feed_position": BIG,
        },
    ),
    "webhooks_delivery": (
        "true",
        {"id": f"'whd_010000' || {NUMBER}", "event_id": f"'evt_010000' || {NUMBER}"},
    ),
    "webhooks_attempt": ("true", {"id": BIG, "delivery_id": f"'whd_010000' || {NUMBER}"}),
    "gateway_loggedcall": (
        "booking_id <> '' AND method = 'POST'",
        {
            "id": BIG,
            "request_id": "gen_random_uuid()",
            "booking_id": f"'hbk_010000' || {NUMBER}",
            "booking_reference": f"'H-' || {RANDOM}",
            "idempotency_key": "gen_random_uuid()",
        },
    ),
    "gateway_idempotencyrecord": (
        "operation LIKE '%%ooking%%'",
        {"id": BIG, "key": "gen_random_uuid()", "lease_token": "gen_random_uuid()"},
    ),
}
COPY = """
INSERT INTO {table}
SELECT (jsonb_populate_record(NULL::{table}, to_jsonb(model) || jsonb_build_object({other}))).*
  FROM (SELECT * FROM {table} WHERE {which} ORDER BY 1 LIMIT 1) model, generate_series(1, %s) n
"""
SIZE = """
SELECT pg_relation_size(%(table)s), pg_table_size(%(table)s) - pg_relation_size(%(table)s), pg_indexes_size(%(table)s)
"""
HEADERS = {
    "Content-Type": "application/json",
    "User-Agent": "TravelPartnerAPI-Webhooks/1.0",
    "X-Service-Event": "booking.confirmed",
    "X-Service-Signature": f"t=1700000000,v1={'0' * 64}",
    "webhook-id": "evt_01jd3m8q6w9z5n2b7rxk4t0000",
    "webhook-timestamp": "1700000000",
    "webhook-signature": f"v1,{'0' * 44}",
}


def make_models() -> None:
    """One booking, as it was made, told and logged."""
    setup_test_environment()
    partner = a_partner()
    endpoint = EndpointFactory(account=partner.account, environment="test")
    _ = Goods(Api(partner.test_secret)).hotel_booking
    assert writer.writer.flush()
    drain()
    delivery = Delivery.objects.filter(endpoint=endpoint).earliest("created_at")
    Attempt.objects.create(
        delivery=delivery,
        endpoint=endpoint,
        number=1,
        attempted_at=clock.now(),
        duration_ms=40,
        connect_ms=9,
        tls_ms=12,
        first_byte_ms=15,
        request_headers=HEADERS,
        status_code=200,
        response_body='{"ok": true}',
    )
    Delivery.objects.update(
        status="DELIVERED", attempt_count=1, next_attempt_at=None, completed_at=clock.now()
    )


def fill_and_measure(count: int) -> dict[str, dict[str, int]]:
    sizes = {}
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(
            "SET session_replication_role = replica"
        )  # rules between rows are not what is measured
        for table, (which, other) in COPIES.items():
            values = ", ".join(f"'{column}', {value}" for column, value in other.items())
            cursor.execute(COPY.format(table=table, which=which, other=values), [count])
            assert cursor.rowcount == count, table
            cursor.execute(f"VACUUM ANALYZE {table}")
            sizes[table] = size_of(cursor, table)
    return sizes


def size_of(cursor: Any, table: str) -> dict[str, int]:
    cursor.execute(SIZE, {"table": table})
    return dict(zip(("heap", "packed", "indexes"), cursor.fetchone(), strict=True))


if __name__ == "__main__":
    make_models()
    print(json.dumps(fill_and_measure(int(sys.argv[1]))), flush=True)
