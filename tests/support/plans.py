"""What PostgreSQL does for a request: the plan of each statement on one table, as it ran."""

from urllib.parse import quote

from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.gateway.pagination import SALT
from tests.support.api import Api


def plans_of(api: Api, path: str, table: str) -> list[str]:
    """EXPLAIN ANALYZE of the statements that a GET sends about `table`."""
    with CaptureQueriesContext(connection) as captured:
        reply = api.get(path)
    assert reply.status == 200, reply.body
    statements = [query["sql"] for query in captured.captured_queries if f'FROM "{table}"' in query["sql"]]
    return [explained(statement) for statement in statements]


def explained(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) {statement}")
        return "\n".join(line for (line,) in cursor.fetchall())


def read_as_the_table_lies() -> None:
    """Until the transaction ends no index puts rows in order: what comes in an order was asked for in it.

    Statements are planned anew: a plan that was kept before would go on using its index.
    """
    with connection.cursor() as cursor:
        for way in ("indexscan", "indexonlyscan", "bitmapscan"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")


def deep(cursor: str, booking_id: str, created_at: str) -> str:
    """A cursor of the same listing that stands at another row: what thousands of pages would have led to."""
    binding, _, _ = signing.loads(cursor, salt=SALT)
    return quote(signing.dumps([binding, created_at, booking_id], salt=SALT, compress=True))
