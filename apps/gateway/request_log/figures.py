"""Figures of a period, as parts of one statement: how long calls took to be answered, and which errors there were."""

from collections.abc import Sequence
from datetime import datetime

from apps.common.querysets import MOST, Scalar

NEWEST = 5_000
"""As many calls of the period are read for answer times, however many there are."""

P95 = f"""(
SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FROM (
    SELECT duration_ms FROM gateway_loggedcall
     WHERE account_id = %s AND environment = %s AND created_at >= %s
     ORDER BY created_at DESC, id DESC LIMIT {NEWEST}) AS newest)"""  # noqa: S608

# One range of the index `logged_call_page_by_error` a type.
BY_TYPE = f"""(
SELECT json_object_agg(error_type, calls) FROM (
    SELECT error_type, (
        SELECT count(*) FROM (
            SELECT 1 FROM gateway_loggedcall AS call
             WHERE call.account_id = %s AND call.environment = %s AND call.error_type = asked.error_type
               AND call.status >= 400 AND call.created_at >= %s LIMIT {MOST + 1}) AS counted) AS calls
      FROM unnest(%s::text[]) AS asked (error_type)) AS each
 WHERE calls > 0)"""  # noqa: S608


def p95_since(account_id: str, environment: str, since: datetime) -> Scalar:
    """In how many milliseconds 95 % of the calls were answered; NULL without a call."""
    return Scalar(P95, [account_id, environment, since])


def errors_by_type(account_id: str, environment: str, since: datetime, types: Sequence[str]) -> Scalar:
    """For each of `types` that there was: how many calls, as `capped_count` counts them. NULL where there was none."""
    return Scalar(BY_TYPE, [account_id, environment, since, list(types)])
