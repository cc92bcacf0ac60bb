"""A process that takes an empty database to the last release, writes a call as that release does, then migrates to today.

Prints one JSON object: the trace of the call, and of one that the last release writes after the migrations.
"""

import json

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402

from apps.common.management.commands.migrate import own_timeouts  # noqa: E402
from tests.migrations.exceptions import RELEASED  # noqa: E402

# The columns that the request log of 1.1.0 writes.
CALL = """
INSERT INTO gateway_loggedcall
       (request_id, created_at, account_id, environment, key_id, secret_id, method, path, query, operation, product, status,
        error_type, why, duration_ms, billable, replayed, client_address, user_agent, idempotency_key, trigger,
        trigger_fired, steps, booking_id, booking_reference)
VALUES (gen_random_uuid(), now(), NULL, 'test', NULL, NULL, 'GET', '/v1/ping', '', 'ping', '', 200,
        '', '', 1.5, NULL, false, '', '', '', '', false, %s, '', '')
"""


def main() -> None:
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.nodes
    last = [(app, name) for app, name in nodes if name[:4] == RELEASED.get(app)]
    with own_timeouts(connection):  # however busy the machine is
        executor.migrate(last)
    with connection.cursor() as cursor:
        cursor.execute(CALL, ['[["scope", "passed", 0.36], ["body", "invalid_request", 1]]'])
    call_command("migrate", "--no-input", "--verbosity", "0")
    with connection.cursor() as cursor:
        cursor.execute(CALL, ["[]"])
        cursor.execute("SELECT trace FROM gateway_loggedcall ORDER BY id")
        traces = [trace for (trace,) in cursor.fetchall()]
        cursor.execute("SELECT conname FROM pg_constraint WHERE NOT convalidated ORDER BY conname")
        print(json.dumps({"traces": traces, "unproven": [name for (name,) in cursor.fetchall()]}))


if __name__ == "__main__":
    main()
