"""What PostgreSQL does for a request: the plan of each statement on one table, as it ran."""

import re
from itertools import count
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


def plan_for_any(statement: str, *, table: str, index: str) -> str:
    """The plan that is kept for any parameters, where `index` is the only one of the table beside those of its constraints: which
    of several is cheaper depends on what lies in the table. Within a test's transaction. `statement` has %s for each parameter.
    """
    numbers = count(1)
    numbered = re.sub("%s", lambda _: f"${next(numbers)}", statement)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass AND NOT indisunique"
            " AND indexrelid <> %s::regclass",
            [table, index],
        )
        for (other,) in cursor.fetchall():
            cursor.execute(f"DROP INDEX {other}")
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute("SET LOCAL enable_seqscan = off")  # which a small table would prefer
        cursor.execute(f"PREPARE for_any AS {numbered}")
        nothing = ", ".join(["NULL"] * statement.count("%s"))
        cursor.execute(f"EXPLAIN EXECUTE for_any ({nothing})")
        plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("DEALLOCATE for_any")
    return plan


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
