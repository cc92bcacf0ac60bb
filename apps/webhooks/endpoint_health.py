"""How an endpoint answers, from its attempts: since when all fail, how many of the last day were accepted, how fast it answers.

The counts of deliveries show it late: a delivery ends after seven attempts, which take a day and more.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.db.models import BooleanField, JSONField, QuerySet
from django.db.models.expressions import RawSQL

from apps.common import zones
from apps.webhooks.models import Endpoint, EndpointStatus

NEWEST = 1_000
"""So many attempts of an endpoint are read at most: one range of the index `attempt_by_endpoint`."""
FAILURES = 3
"""An endpoint is failing after so many failed attempts in a row; if no attempt was ever accepted, after the first."""
DAY = timedelta(hours=24)

# What was lost or failed on our side says nothing about the receiver. The instants are numbers: seconds since 1970.
HEALTH = """
WITH attempt AS MATERIALIZED (
    SELECT attempted_at, duration_ms, status_code, error_code, coalesce(status_code BETWEEN 200 AND 299, false) AS accepted
      FROM webhooks_attempt
     WHERE endpoint_id = webhooks_endpoint.id AND error_code NOT IN ('lost', 'internal')
     ORDER BY attempted_at DESC LIMIT %s
), streak AS (
    SELECT coalesce(status_code::text, error_code) AS outcome, count(*) AS tries, min(attempted_at) AS began FROM attempt
     WHERE attempted_at > coalesce((SELECT max(attempted_at) FROM attempt WHERE accepted), '-infinity')
     GROUP BY 1
), counted AS (
    SELECT count(*) AS read,
           coalesce(bool_or(accepted), false) AS ever_accepted,
           count(*) FILTER (WHERE recent) AS tries,
           count(*) FILTER (WHERE recent AND accepted) AS accepted,
           percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms)
               FILTER (WHERE recent AND status_code IS NOT NULL) AS p95_ms
      FROM (SELECT *, attempted_at >= %s AS recent FROM attempt) AS of_a_day
)
SELECT to_jsonb(counted) || jsonb_build_object(
    'failing_since', (SELECT extract(epoch FROM min(began)) FROM streak),
    'outcomes', (SELECT coalesce(jsonb_object_agg(outcome, tries), '{}') FROM streak))
  FROM counted"""

# As Health.is_failing has it: the newest FAILURES attempts failed, or all if there are fewer.
FAILS = """
SELECT count(*) > 0 AND NOT bool_or(accepted)
  FROM (SELECT coalesce(status_code BETWEEN 200 AND 299, false) AS accepted
          FROM webhooks_attempt
         WHERE endpoint_id = webhooks_endpoint.id AND error_code NOT IN ('lost', 'internal')
         ORDER BY attempted_at DESC LIMIT %s) AS newest"""

WITHOUT_ANSWER = {
    "timeout": "no response in time",
    "name_not_resolved": "the name does not resolve",
    "connection_refused": "connection refused",
    "connection_closed": "connection closed",
    "unreachable": "host not reachable",
    "address_not_public": "address not public",
    "tls_certificate": "certificate refused",
    "tls": "TLS failed",
    "not_http": "no HTTP",
}


@dataclass(frozen=True, slots=True)
class Health:
    """Times are those of the endpoint's environment. The share and the 95th percentile are of the last 24 hours."""

    read: int = 0
    """How many attempts this is made of, at most NEWEST."""
    ever_accepted: bool = False
    failing_since: datetime | None = None
    """The first attempt after the last accepted one; None if the newest attempt was accepted, or nothing was attempted."""
    outcomes: dict[str, int] = field(default_factory=dict)
    """The attempts since then by status, or by the code of the cause if there was no answer."""
    tries: int = 0
    accepted: int = 0
    p95_ms: int | None = None

    @property
    def failures(self) -> int:
        """Attempts in a row that failed, up to now."""
        return sum(self.outcomes.values())

    @property
    def is_failing(self) -> bool:
        return self.failures >= (FAILURES if self.ever_accepted else 1)

    @property
    def share(self) -> int | None:
        """The percentage of attempts that were accepted, rounded down: 100 means that none failed. None without an attempt."""
        return self.accepted * 100 // self.tries if self.tries else None

    @property
    def is_partial(self) -> bool:
        """Whether there are more attempts than were read."""
        return self.read >= NEWEST

    def failing_words(self, now: datetime) -> str:
        """`Failing since 05:25 UTC: 65 attempts, all 500`. Empty if it is not failing."""
        if not self.is_failing or self.failing_since is None:
            return ""
        beyond = self.is_partial and self.failures == self.read
        since = f"before {moment(self.failing_since, now)}" if beyond else moment(self.failing_since, now)
        return f"Failing since {since}: {'more than ' if beyond else ''}{self._tries()}"

    def _tries(self) -> str:
        counted = f"{self.failures:,} {'attempt' if self.failures == 1 else 'attempts'}"
        by_count = sorted(self.outcomes.items(), key=lambda each: (-each[1], each[0]))
        if len(by_count) == 1:
            [(outcome, tries)] = by_count
            if not outcome.isdecimal():  # `75 attempts: the name does not resolve`
                return f"{counted}: {outcome_words(outcome)}"
            return f"{counted}, {'all ' if tries > 1 else ''}{outcome}"
        return f"{counted}: " + ", ".join(
            f"{tries:,} × {outcome_words(outcome)}" for outcome, tries in by_count
        )


def endpoints_with_health(endpoints: QuerySet[Endpoint], now: datetime) -> list[tuple[Endpoint, Health]]:
    """Those endpoints in their order, each with its health at `now`, which is the time there. One statement."""
    found = endpoints.annotate(health=RawSQL(HEALTH, [NEWEST, now - DAY], JSONField()))  # noqa: S611 - no text of a caller
    return [(endpoint, health_of(endpoint.health)) for endpoint in found]


def failing(endpoints: QuerySet[Endpoint]) -> QuerySet[Endpoint]:
    """Those that are enabled and failing now. It reads FAILURES attempts of each that is enabled."""
    fails = RawSQL(FAILS, [FAILURES], BooleanField())  # noqa: S611 - no text of a caller
    return endpoints.filter(fails, status=EndpointStatus.ENABLED, deleted_at__isnull=True)


def health_of(read: dict[str, object]) -> Health:
    since = read.pop("failing_since")
    instant = datetime.fromtimestamp(since, UTC) if isinstance(since, int | float) else None
    return Health(failing_since=instant, **read)  # type: ignore[arg-type]


def outcome_words(outcome: str) -> str:
    """A status as it is, a cause in words."""
    return WITHOUT_ANSWER.get(outcome, outcome.replace("_", " "))


def moment(instant: datetime, now: datetime) -> str:
    """`05:25 UTC`, and with its day where that is not today. In the reader's zone."""
    here = zones.local(instant)
    if here.date() == zones.local(now).date():
        return zones.clock_words(instant)
    return f"{here.day} {here:%b}, {zones.clock_words(instant)}"
