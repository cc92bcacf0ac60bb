"""A large account: 100,000 calls in a month, and 10,000 objects of every other kind, written by SQL in seconds."""

from django.db import connection

from apps.accounts.models import Account
from tests.support.multiply import multiply

CALLS, BOOKINGS, DELIVERIES, ENTRIES = 100_000, 10_000, 10_000, 10_000

LOGGED = """
INSERT INTO request_log_loggedcall
       (request_id, created_at, account_id, environment, key_id, secret_id, method, path, query, ignored_parameters,
        operation, product, status,
        error_type, why, duration_ms, billable, replayed, client_address, user_agent, idempotency_key, trigger, trigger_fired,
        trace, booking_id, booking_reference, request_body, response_body)
SELECT gen_random_uuid(), now() - n * interval '25 seconds', %(account)s, 'test', %(key)s, %(secret)s,
       'POST', '/v1/flights/searches', '', '', 'searchFlights', 'flights', CASE WHEN mod(n, 20) = 0 THEN 429 ELSE 201 END,
       CASE WHEN mod(n, 20) = 0 THEN 'rate_limit_exceeded' ELSE '' END, '', 12 + mod(n, 90), true, false, '198.51.100.7',
       'partner/1.0', 'idem-' || n, '', false, 'bearer_key 200', '', '', '{}', '{}'
  FROM generate_series(1, %(count)s) n
"""
HOURS = """
INSERT INTO request_log_callhour (account_id, environment, hour, key_id, secret_id, calls, errors, first_call_at, last_call_at)
SELECT account_id, environment, date_trunc('hour', created_at), key_id, secret_id, count(*),
       count(*) FILTER (WHERE status >= 400),
       min(created_at), max(created_at)
  FROM request_log_loggedcall WHERE account_id = %(account)s AND key_id = %(key)s AND operation = 'searchFlights'
 GROUP BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING
"""
EVENTS = """
INSERT INTO webhooks_event (id, account_id, environment, type, payload, booking_id, booking_reference, request_id, created_at)
SELECT 'evt_00' || lpad(n::text, 24, '0'), %(account)s, 'test', 'booking.confirmed', '{"data": {}}', '', '', '',
       now() - n * interval '1 minute'
  FROM generate_series(1, %(count)s) n
"""
DELIVERED = """
INSERT INTO webhooks_delivery (id, event_id, endpoint_id, account_id, environment, event_type, status, attempt_count,
                               lost_count, created_at, completed_at)
SELECT 'whd_00' || right(id, 24), id, %(endpoint)s, account_id, environment, type,
       CASE WHEN mod(right(id, 9)::int, 10) = 0 THEN 'EXHAUSTED' ELSE 'DELIVERED' END, 1, 0, created_at, created_at
  FROM webhooks_event WHERE id LIKE 'evt_00%%'
"""
ATTEMPTED = """
INSERT INTO webhooks_attempt (delivery_id, endpoint_id, number, attempted_at, duration_ms, request_headers, status_code,
                              response_body, error_code, error, counted, manual)
SELECT id, endpoint_id, 1, created_at, 20, '{}', CASE WHEN status = 'DELIVERED' THEN 200 ELSE 500 END, 'ok', '', '', true, false
  FROM webhooks_delivery WHERE id LIKE 'whd_00%%'
"""
TRAIL = """
INSERT INTO accounts_accountauditentry
       (id, account_id, environment, action, actor_label, subject_type, subject_id, subject_name, details, address, created_at)
SELECT 'aud_00' || lpad(n::text, 24, '0'), %(account)s, 'test', 'webhooks.disabled', 'Automatic', 'endpoint', %(endpoint)s,
       'https://partner.example/hooks', '{"failures": 10}', '', now() - n * interval '1 hour'
  FROM generate_series(1, %(count)s) n
"""


def crowd(account: Account, names: dict[str, str]) -> None:
    """Multiply what `add_sample_data` made. `names` is what it returned."""
    secret = account.keys.get(pk=names["key"]).secrets.get()
    parameters = {
        "account": account.id,
        "key": names["key"],
        "secret": secret.pk,
        "endpoint": names["endpoint"],
    }
    with connection.cursor() as cursor:
        multiply(cursor, names["booking"], BOOKINGS)
        cursor.execute(LOGGED, {**parameters, "count": CALLS})
        cursor.execute(HOURS, parameters)
        cursor.execute(EVENTS, {**parameters, "count": DELIVERIES})
        cursor.execute(DELIVERED, parameters)
        cursor.execute(ATTEMPTED, parameters)
        cursor.execute(TRAIL, {**parameters, "count": ENTRIES})
        cursor.execute("ANALYZE")  # of all tables, as autovacuum would a minute later
