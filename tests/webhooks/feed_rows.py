"""Many events of a feed, by SQL."""

from typing import Any

CHUNK = 500_000
OF_A_BOOKING = 4

EVENTS = """
INSERT INTO webhooks_event (id, account_id, environment, type, payload, booking_id, booking_reference, request_id, sequence,
                            feed_position, created_at)
SELECT id, %(account)s, 'test', type,
       '{"id":"' || id || '","type":"' || type || '","createdAt":"2026-11-20T14:03:22.120Z","environment":"test","data":{"note":"'
       || repeat('x', 200) || '"},"sequence":' || 1 + n %% %(of_a_booking)s || '}',
       'hbk_' || n / %(of_a_booking)s, 'H-' || n / %(of_a_booking)s, '', 1 + n %% %(of_a_booking)s, n,
       now() - interval '29 days' + n * interval '0.2 s'
  FROM (SELECT n, 'evt_' || lpad(n::text, 26, '0') AS id,
               CASE WHEN n %% 5000 = 7 THEN 'payment.refunded' ELSE 'booking.confirmed' END AS type
          FROM generate_series(%(first)s::int, %(last)s::int) n) made
"""
FEED = """
INSERT INTO webhooks_eventfeed (account_id, environment, last_position, forgotten_position, forgotten_event_id, created_at)
VALUES (%(account)s, 'test', %(last)s, 0, 'evt_beginning', now())
"""


def fill(database: Any, account_id: str, count: int) -> None:
    """`count` events that have their positions already, four a booking; every 5,000th is of a rare type."""
    for first in range(1, count + 1, CHUNK):
        last = min(first + CHUNK - 1, count)
        told = {"account": account_id, "first": first, "last": last, "of_a_booking": OF_A_BOOKING}
        database.execute(EVENTS, told)
    database.execute(FEED, {"account": account_id, "last": count})
