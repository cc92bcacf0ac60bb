"""The reads of the request log. Those for partners begin from the account and the environment.

Lists are keyset pages, newest first: page 2,000 costs as much as the first, and nothing is counted. No filter changes the order,
so one cursor serves them all. During a rotation `calls_by_secret` says whether traffic has moved to the new secret;
`last_used_at` of keys and secrets does not.
"""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BooleanField, Count, Max, Min, Q, QuerySet, Sum
from django.db.models.expressions import RawSQL

from apps.common import clock, keyset
from apps.common.errors import NotFound
from apps.common.querysets import MOST, Scalar
from apps.keys.models import ApiKey, KeySecret
from apps.request_log.models import CallHour, LoggedCall, LostCalls
from apps.request_log.redaction import key_to_log

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
DETAIL_ALONE = ("trace", "request_body", "response_body")
OF_KEYS_ALONE = ("key__scopes", "key__allowed_ips")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a list is narrowed to; None leaves it as it is.

    `request_id` is a whole id or its beginning, in any case, with or without hyphens; what cannot begin one finds nothing.
    `idempotency_key` is as it was sent, also where the log keeps its digest alone. `since` is included, `until` is not.
    """

    status_class: int | None = None
    """2, 4 or 5: 2xx, 4xx, 5xx."""
    errors_only: bool = False
    """4xx and 5xx."""
    operations: tuple[str, ...] | None = None
    path: str | None = None
    path_begins: str | None = None
    product: str | None = None
    error_type: str | None = None
    key_id: str | None = None
    request_id: str | None = None
    booking_ids: tuple[str, ...] | None = None
    idempotency_key: str | None = None
    since: datetime | None = None
    until: datetime | None = None


NO_FILTERS = Filters()

# The condition of the index over the calls about a booking, as a literal: PostgreSQL cannot use a partial index in a plan for any
# parameters if the condition is a parameter too.
ABOUT_A_BOOKING = RawSQL("booking_id <> ''", (), output_field=BooleanField())

MOST_TIMED = 5_000
"""So many of a period's newest calls are read for its latency."""
P95 = f"""(
SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FROM (
    SELECT duration_ms FROM request_log_loggedcall
     WHERE account_id = %s AND environment = %s AND created_at >= %s
     ORDER BY created_at DESC, id DESC LIMIT {MOST_TIMED}) AS newest)"""  # noqa: S608

# One range of the index `logged_call_page_by_error` a type.
BY_TYPE = f"""(
SELECT json_object_agg(error_type, calls) FROM (
    SELECT error_type, (
        SELECT count(*) FROM (
            SELECT 1 FROM request_log_loggedcall AS call
             WHERE call.account_id = %s AND call.environment = %s AND call.error_type = asked.error_type
               AND call.status >= 400 AND call.created_at >= %s
               AND call.created_at < coalesce(%s::timestamptz, 'infinity') LIMIT {MOST + 1}) AS counted) AS calls
      FROM unnest(%s::text[]) AS asked (error_type)) AS each
 WHERE calls > 0)"""  # noqa: S608

MOST_CRASHED = 20_000
"""So many of a period's newest calls with 5xx are counted by the hour."""
# One range of the index `logged_call_page_by_5xx`. The key is the hour's number since 1970.
CRASHED_BY_HOUR = f"""(
SELECT json_object_agg(hour, calls) FROM (
    SELECT floor(extract(epoch FROM created_at) / 3600)::bigint AS hour, count(*) AS calls FROM (
        SELECT created_at FROM request_log_loggedcall
         WHERE account_id = %s AND environment = %s AND status >= 500 AND created_at >= %s
         ORDER BY created_at DESC, id DESC LIMIT {MOST_CRASHED}) AS newest
     GROUP BY 1) AS each)"""  # noqa: S608

# Of whole hours all calls and all errors are counted already.
COUNTED_BARS = """(
SELECT json_agg(json_build_array(bar, calls, errors)) FROM (
    SELECT floor(extract(epoch FROM hour - %s::timestamptz) / %s)::int AS bar, sum(calls) AS calls, sum(errors) AS errors
      FROM request_log_callhour
     WHERE account_id = %s AND environment = %s AND hour >= %s AND hour < %s GROUP BY 1) AS each)"""
MOST_IN_BARS = 10_000
"""So many of the newest calls that match other filters than a period are put into bars."""

# Of each key one descent of the index `logged_call_page_by_key`.
LAST_CALLS = """
SELECT asked.key_id, call.created_at, call.client_address
  FROM unnest(%s::text[]) AS asked (key_id)
 CROSS JOIN LATERAL (
    SELECT created_at, client_address FROM request_log_loggedcall AS call
     WHERE call.key_id = asked.key_id ORDER BY created_at DESC, id DESC LIMIT 1) AS call"""

LAST_ADDRESSES = f"""
SELECT client_address, count(*), max(created_at) FROM (
    SELECT client_address, created_at FROM request_log_loggedcall
     WHERE key_id = %s ORDER BY created_at DESC, id DESC LIMIT {MOST}) AS newest
 WHERE client_address <> '' GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT %s"""  # noqa: S608

SPIKE_WINDOW = timedelta(hours=1)
SPIKE_LOOKBACK = timedelta(days=7)
MOST_ERRORS, MOST_CALLS = 5_000, 20_000
"""More of the hour are not read: the shares are then those of its newest calls."""
LEAST_ERRORS = 10
TIMES = 5
"""How many times its usual share makes a spike."""
LEAST_SHARE = 0.02
LEAST_KNOWN = 50
"""With fewer calls before, no share counts as usual; then a tenth of the calls is a spike."""
SHARE_OF_A_BEGINNER = 0.1


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour of a sparkline; `begins` is its first instant, UTC. Errors are answers of 400 and above."""

    begins: datetime
    calls: int
    errors: int


@dataclass(frozen=True, slots=True)
class SecretTraffic:
    """What one secret of a key was used for. `last_call_at` looks back beyond `since`; None: never, as far as is known."""

    secret: KeySecret
    calls: int
    last_call_at: datetime | None


@dataclass(frozen=True, slots=True)
class LastCall:
    at: datetime
    address: str


@dataclass(frozen=True, slots=True)
class AddressUse:
    """An address, how many of the newest calls came from it, and when the last one did."""

    address: str
    calls: int
    last_call_at: datetime


def calls_of(account_id: str, environment: str, filters: Filters = NO_FILTERS) -> QuerySet[LoggedCall]:
    """The calls of an account in one environment, newest first, with their keys' names, without the columns of the detail."""
    calls = LoggedCall.objects.filter(account_id=account_id, environment=environment)
    calls = calls.filter(*_conditions(filters)).select_related("key").defer(*DETAIL_ALONE, *OF_KEYS_ALONE)
    return calls.order_by("-created_at", "-id")


def page_of_calls(
    account_id: str,
    environment: str,
    *,
    filters: Filters = NO_FILTERS,
    cursor: str | None = None,
    limit: int = DEFAULT_LIMIT,
) -> keyset.Page[LoggedCall]:
    """One page, in one statement. A cursor that is not ours shows the first page."""
    calls = calls_of(account_id, environment, filters)
    return keyset.page_of(calls, cursor, max(1, min(limit, MAX_LIMIT)), numbered=True)


def calls_of_booking(account_id: str, environment: str, booking_id: str, limit: int) -> list[LoggedCall]:
    """The newest calls about one booking, as `calls_of` lists them."""
    calls = calls_of(account_id, environment).filter(ABOUT_A_BOOKING, booking_id=booking_id)
    return list(calls[:limit])


def call_of(account_id: str, environment: str, request_id: str) -> LoggedCall:
    """One call with all columns, and what names its key and its secret.

    Raises NotFound when the id is unknown, malformed or of another account.
    """
    id_ = _uuid(request_id)
    mine = LoggedCall.objects.filter(account_id=account_id, environment=environment)
    calls = mine.select_related("key", "secret").defer(*OF_KEYS_ALONE, "secret__digest")
    call = calls.filter(request_id=id_).first() if id_ else None
    if call is None:
        raise NotFound("There is no such call in the last 30 days.")
    return call


def hourly_counts(account_id: str, environment: str, *, hours: int = 24) -> list[Hour]:
    """The last `hours` hours, oldest first, with the running one; an hour without a call has zeros."""
    first = _hour(clock.now()) - timedelta(hours=hours - 1)
    rows = CallHour.objects.filter(account_id=account_id, environment=environment, hour__gte=first)
    counted = {
        hour: (calls, errors)
        for hour, calls, errors in rows.values_list("hour").annotate(Sum("calls"), Sum("errors"))
    }
    begins = [first + timedelta(hours=number) for number in range(hours)]
    return [Hour(each, *counted.get(each, (0, 0))) for each in begins]


def totals_since(account_id: str, environment: str, since: datetime) -> tuple[int, int]:
    """Calls, and errors among them, since the beginning of an hour. They were counted as they were written."""
    rows = CallHour.objects.filter(account_id=account_id, environment=environment, hour__gte=since)
    found = rows.aggregate(calls=Sum("calls"), errors=Sum("errors"))
    return found["calls"] or 0, found["errors"] or 0


def calls_by_secret(
    key: ApiKey, *, since: datetime, secrets: Sequence[KeySecret] | None = None
) -> list[SecretTraffic]:
    """How often each secret of the key was used since an instant, newest secret first.

    Three statements, whatever the traffic: whole hours are counted already, and only the first, partial hour is counted here.
    """
    begins = _hour(since)
    rows = CallHour.objects.filter(key=key)
    traffic = {
        secret_id: (calls or 0, last)
        for secret_id, calls, last in rows.values_list("secret_id").annotate(
            since=Sum("calls", filter=Q(hour__gte=begins)), last=Max("last_call_at")
        )
    }
    before = _calls_before(key, begins, since)
    return [
        SecretTraffic(
            secret,
            calls=max(0, traffic.get(secret.pk, (0, None))[0] - before.get(secret.pk, 0)),
            last_call_at=traffic.get(secret.pk, (0, None))[1],
        )
        for secret in (key.secrets.order_by("-created_at", "-id") if secrets is None else secrets)
    ]


def last_calls_of(key_ids: Iterable[str]) -> dict[str, LastCall]:
    """The last call of each of these keys; one without a call in the last 30 days is left out. One descent a key."""
    with connection.cursor() as cursor:
        cursor.execute(LAST_CALLS, [list(key_ids)])
        return {key_id: LastCall(*call) for key_id, *call in cursor.fetchall()}


def counts_by_key(account_id: str, environment: str, *, hours: int = 24) -> dict[str, tuple[int, int]]:
    """Calls, and errors among them, of each key that was used in the last `hours` hours, the running one included."""
    first = _hour(clock.now()) - timedelta(hours=hours - 1)
    rows = CallHour.objects.filter(account_id=account_id, environment=environment, hour__gte=first)
    counted = rows.values_list("key").annotate(Sum("calls"), Sum("errors"))
    return {key_id: (calls, errors) for key_id, calls, errors in counted}


def recent_of(key: ApiKey, *, since: datetime) -> tuple[int, datetime | None]:
    """How many calls the key made since then, MOST + 1 for more than MOST, and when the last of them came."""
    found = _newest(key, MOST + 1, created_at__gte=since).aggregate(Count("pk"), Max("created_at"))
    return found["pk__count"], found["created_at__max"]


def operations_of(key: ApiKey, *, since: datetime) -> dict[str, int]:
    """How many calls of each operation there are among the newest MOST that the key made since then."""
    newest = _newest(key, MOST, created_at__gte=since).values_list("operation", flat=True)
    return dict(Counter(newest))


def addresses_of(key: ApiKey, *, most: int = 5) -> list[AddressUse]:
    """The addresses that the key was last used from, the last one first, among the newest MOST calls of the last 30 days."""
    with connection.cursor() as cursor:
        cursor.execute(LAST_ADDRESSES, [key.pk, most])
        return [AddressUse(*row) for row in cursor.fetchall()]


def _newest(key: ApiKey, most: int, **conditions: object) -> QuerySet[LoggedCall]:
    return LoggedCall.objects.filter(key=key, **conditions).order_by("-created_at", "-id")[:most]


def first_call_at(account_id: str, environment: str) -> datetime | None:
    """When the first call with a key of the account came, also one longer ago than 30 days; None before it."""
    rows = CallHour.objects.filter(account_id=account_id, environment=environment)
    found: datetime | None = rows.aggregate(first=Min("first_call_at"))["first"]
    return found


def lost_calls(*, since: datetime) -> int:
    return LostCalls.objects.filter(noticed_at__gte=since).aggregate(calls=Sum("calls"))["calls"] or 0


def p95_since(account_id: str, environment: str, since: datetime) -> Scalar:
    """The p95 latency of the calls in milliseconds; NULL without a call."""
    return Scalar(P95, [account_id, environment, since])


def errors_by_type(
    account_id: str, environment: str, since: datetime, types: Sequence[str], until: datetime | None = None
) -> Scalar:
    """For each of `types` that occurred: how many calls, as `capped_count` counts them. NULL if none did."""
    return Scalar(BY_TYPE, [account_id, environment, since, until, list(types)])


def crashed_by_hour(account_id: str, environment: str, since: datetime) -> Scalar:
    """The calls with 5xx for each number of an hour since 1970, as text. NULL without one."""
    return Scalar(CRASHED_BY_HOUR, [account_id, environment, since])


def hours_in_bars(
    account_id: str, environment: str, since: datetime, until: datetime, step: timedelta
) -> Scalar:
    """`[bar, calls, errors]` of each bar that has calls; NULL without one. `since` begins an hour, and `step` is whole hours."""
    return Scalar(COUNTED_BARS, [since, step.total_seconds(), account_id, environment, since, until])


def calls_in_bars(calls: QuerySet[LoggedCall], since: datetime, step: timedelta) -> Scalar:
    """`[bar, class, calls]` of the newest MOST_IN_BARS of `calls`, NULL without one; the class is the status's first digit."""
    try:
        sql, parameters = calls.values_list("created_at", "status")[:MOST_IN_BARS].query.sql_with_params()
    except EmptyResultSet:  # a condition that nothing fulfils
        return Scalar("NULL")
    grouped = f"""(
SELECT json_agg(json_build_array(bar, class, calls)) FROM (
    SELECT floor(extract(epoch FROM created_at - %s::timestamptz) / %s)::int AS bar, status / 100 AS class, count(*) AS calls
      FROM ({sql}) AS newest GROUP BY 1, 2) AS each)"""  # noqa: S608 - the ORM wrote it
    return Scalar(grouped, [since, step.total_seconds(), *parameters])


@dataclass(frozen=True, slots=True)
class Spike:
    """An error type, how many of the calls since `since` returned it, and what share of the calls before."""

    error_type: str
    since: datetime
    errors: int
    calls: int
    usual_share: float | None
    """None: too few calls before."""

    @property
    def share(self) -> float:
        return self.errors / max(self.calls, self.errors)

    @property
    def is_far_above(self) -> bool:
        if self.usual_share is None:
            return self.share >= SHARE_OF_A_BEGINNER
        return self.share >= max(LEAST_SHARE, TIMES * self.usual_share)


def spikes_of(account_id: str, environment: str, hours: Sequence[Hour], now: datetime) -> list[Spike]:
    """Error types with far more errors in the hour before `now` than usual, most errors first.

    `hours` are the calls of the days before by the hour, oldest first, as `hourly_counts` returns them. One statement, if no type
    has LEAST_ERRORS in the hour. The days before are read for such types alone, and no further back than as many errors.
    """
    since = now - SPIKE_WINDOW
    first = since - SPIKE_LOOKBACK
    calls = LoggedCall.objects.filter(account_id=account_id, environment=environment).order_by("-created_at")
    failed = calls.filter(status__gte=400)
    recent = Counter(failed.filter(created_at__gte=since).values_list("error_type", flat=True)[:MOST_ERRORS])
    seen = {kind: errors for kind, errors in recent.items() if kind and errors >= LEAST_ERRORS}
    if not seen:
        return []
    calls_of_hour = calls.filter(created_at__gte=since)[:MOST_CALLS].count()
    spikes = []
    for error_type, errors in seen.items():
        before = failed.filter(error_type=error_type, created_at__gte=first, created_at__lt=since)[:errors]
        earlier = before.aggregate(errors=Count("pk"), oldest=Min("created_at"))
        begins = earlier["oldest"] if earlier["errors"] == errors else first
        known = sum(
            hour.calls for hour in hours if begins - SPIKE_WINDOW < hour.begins <= since - SPIKE_WINDOW
        )
        usual = earlier["errors"] / max(known, earlier["errors"]) if known >= LEAST_KNOWN else None
        spikes.append(Spike(error_type, since, errors, calls_of_hour, usual))
    return sorted((spike for spike in spikes if spike.is_far_above), key=lambda spike: -spike.errors)


def _conditions(filters: Filters) -> list[Q]:
    plain = {
        "product": filters.product,
        "error_type": filters.error_type,
        "key_id": filters.key_id,
        "path": filters.path,
        "path__startswith": filters.path_begins,
        "operation__in": filters.operations,
        "created_at__gte": filters.since,
        "created_at__lt": filters.until,
    }
    conditions = [Q(**{name: value for name, value in plain.items() if value is not None})]
    if filters.errors_only or filters.error_type is not None:
        conditions.append(Q(status__gte=400))  # said aloud, because the small indexes are over these alone
    if filters.status_class is not None:
        lowest = filters.status_class * 100
        conditions.append(Q(status__gte=lowest, status__lt=lowest + 100))
    if filters.request_id is not None:
        conditions.append(_begins_with(filters.request_id))
    if filters.booking_ids is not None:
        # Said aloud, because the index is over the calls about a booking alone; so too below.
        conditions.append(Q(booking_id__in=filters.booking_ids) & ~Q(booking_id=""))
    if filters.idempotency_key is not None:
        logged = key_to_log(filters.idempotency_key)
        conditions.append(Q(idempotency_key=logged) & ~Q(idempotency_key=""))
    return conditions


def _begins_with(text: str) -> Q:
    """All ids between the lowest and the highest that begin so: a range, which their index answers."""
    digits = text.strip().lower().replace("-", "")
    if not digits or len(digits) > 32 or set(digits) - set("0123456789abcdef"):
        return Q(pk__in=[])
    return Q(
        request_id__gte=uuid.UUID(digits.ljust(32, "0")), request_id__lte=uuid.UUID(digits.ljust(32, "f"))
    )


def _calls_before(key: ApiKey, begins: datetime, since: datetime) -> dict[int, int]:
    calls = LoggedCall.objects.filter(key=key, created_at__gte=begins, created_at__lt=since)
    counted = calls.order_by().values_list("secret_id").annotate(Count("pk"))
    return {secret_id or 0: number for secret_id, number in counted}


def _hour(instant: datetime) -> datetime:
    return instant.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
