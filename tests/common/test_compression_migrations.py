import pytest
from django.db import connection

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("hotels_hotelsearch", "hotels"),
        ("flights_flightsearch", "offers"),
        ("transfers_transfersearch", "offers"),
        ("bookings_booking", "details"),
        ("bookings_operation", "request"),
        ("bookings_operation", "prepared"),
        ("gateway_idempotencyrecord", "body"),
        ("gateway_loggedcall", "request_body"),
        ("gateway_loggedcall", "response_body"),
        ("webhooks_event", "payload"),
    ],
)
def test_large_columns_are_packed_by_lz4_where_there_is_one(table: str, column: str):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"
        )
        (has_lz4,) = cursor.fetchone()
        cursor.execute(
            "SELECT attcompression FROM pg_attribute WHERE attrelid = %s::regclass AND attname = %s",
            [table, column],
        )
        assert cursor.fetchone() == ("l" if has_lz4 else "",)
