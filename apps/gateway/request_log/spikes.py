"""Error types of which there are far more in the last hour than usual, of one account and environment.

What is usual is looked up for those types alone that were seen in the hour, and no further back than as many errors were: so the
statement reads no more rows of the days before than of the hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection

from apps.gateway.request_log.selectors import Hour

WINDOW = timedelta(hours=1)
LOOKBACK = timedelta(days=7)
MOST_ERRORS, MOST_CALLS = 5_000, 20_000
"""More of the hour are not read: the shares are then those of its newest."""
LEAST_ERRORS = 10
TIMES = 5
"""How many times its usual share makes a spike."""
LEAST_SHARE = 0.02
LEAST_KNOWN = 50
"""With fewer calls before nothing is usual yet; then a tenth of the calls is a spike."""
SHARE_OF_A_BEGINNER = 0.1

SEEN = f"""
WITH recent AS (
    SELECT error_type, count(*) AS errors FROM (
        SELECT error_type FROM gateway_loggedcall
         WHERE account_id = %(account)s AND environment = %(environment)s AND status >= 400 AND created_at >= %(since)s
         ORDER BY created_at DESC LIMIT {MOST_ERRORS}) AS newest
     WHERE error_type <> '' GROUP BY 1 HAVING count(*) >= {LEAST_ERRORS}
)
SELECT recent.error_type, recent.errors, earlier.errors, earlier.oldest,
       (SELECT count(*) FROM (
            SELECT 1 FROM gateway_loggedcall
             WHERE account_id = %(account)s AND environment = %(environment)s AND created_at >= %(since)s
             LIMIT {MOST_CALLS}) AS of_the_hour)
  FROM recent CROSS JOIN LATERAL (
       SELECT count(*) AS errors, min(created_at) AS oldest FROM (
            SELECT created_at FROM gateway_loggedcall
             WHERE account_id = %(account)s AND environment = %(environment)s AND status >= 400
               AND error_type = recent.error_type AND created_at < %(since)s AND created_at >= %(first)s
             ORDER BY created_at DESC LIMIT recent.errors) AS before) AS earlier"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Spike:
    """An error type, how many of the calls since `since` were answered with it, and what share of the calls before."""

    error_type: str
    since: datetime
    errors: int
    calls: int
    usual_share: float | None
    """None: too few calls before to say."""

    @property
    def share(self) -> float:
        return self.errors / max(self.calls, self.errors)

    @property
    def is_far_above(self) -> bool:
        if self.usual_share is None:
            return self.share >= SHARE_OF_A_BEGINNER
        return self.share >= max(LEAST_SHARE, TIMES * self.usual_share)


def spikes_of(account_id: str, environment: str, hours: Sequence[Hour], now: datetime) -> list[Spike]:
    """Those of the hour before `now`, most errors first. One statement.

    `hours` are the calls of the days before by the hour, oldest first, as `hourly_counts` gives them.
    """
    since = now - WINDOW
    first = since - LOOKBACK
    with connection.cursor() as cursor:
        cursor.execute(
            SEEN, {"account": account_id, "environment": environment, "since": since, "first": first}
        )
        rows = cursor.fetchall()
    found = []
    for error_type, errors, earlier, oldest, calls in rows:
        begins = oldest if earlier == errors else first
        before = sum(hour.calls for hour in hours if begins - WINDOW < hour.begins <= since - WINDOW)
        usual = earlier / max(before, earlier) if before >= LEAST_KNOWN else None
        found.append(Spike(error_type, since, errors, calls, usual))
    return sorted((spike for spike in found if spike.is_far_above), key=lambda spike: -spike.errors)
