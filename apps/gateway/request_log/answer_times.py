"""How long calls took to be answered."""

from datetime import datetime

from apps.common.counts import Scalar

NEWEST = 5_000
"""As many calls of the period are read, however many there are."""

P95 = f"""(
SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FROM (
    SELECT duration_ms FROM gateway_loggedcall
     WHERE account_id = %s AND environment = %s AND created_at >= %s
     ORDER BY created_at DESC, id DESC LIMIT {NEWEST}) AS newest)"""  # noqa: S608


def p95_since(account_id: str, environment: str, since: datetime) -> Scalar:
    """In how many milliseconds 95 % of the calls were answered; NULL without a call."""
    return Scalar(P95, [account_id, environment, since])
