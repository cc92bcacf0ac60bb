"""The histogram above the list of requests: calls by the class of their status, over the period that is listed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from apps.common import zones
from apps.common.querysets import Scalar, capped_words, read_scalars
from apps.portal.charts import Line, Links, period_label, stacks
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import (
    MOST_IN_BARS,
    calls_in_bars,
    crashed_by_hour,
    hours_in_bars,
)
from apps.request_log.tasks import RETENTION

FORM = "%Y-%m-%dT%H:%M:%SZ"
"""Of the two times of `within`."""
MOST_BARS = 32
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
STEPS = {
    timedelta(seconds=10): "10 s",
    timedelta(minutes=1): "minute",
    timedelta(minutes=5): "5 min",
    timedelta(minutes=15): "15 min",
    HOUR: "hour",
    timedelta(hours=3): "3 h",
    timedelta(hours=6): "6 h",
    DAY: "day",
}
"""How long a bar can be, in words: `Calls by hour`."""
CLASSES = {"2": ("2xx", "good"), "4": ("4xx", "warn"), "5": ("5xx", "bad")}
OF_STATUS = {"": "245", "errors": "45"}
"""The classes of a tab; those of another tab are itself."""
TYPES_SHOWN = 6


def interval(since: datetime, until: datetime) -> str:
    """As `within` has it in the address."""
    return "/".join(instant.astimezone(UTC).strftime(FORM) for instant in (since, until))


@dataclass(frozen=True, slots=True)
class Span:
    """What the bars cover: `count` of them, each `step` long, from `begins` on."""

    begins: datetime
    step: timedelta
    count: int

    @classmethod
    def of(cls, begins: datetime | None, ends: datetime | None, now: datetime) -> "Span | None":
        """What is listed of the last 30 days, in at most MOST_BARS; or None. Bars are aligned to the reader's midnight."""
        since = max(begins or now - RETENTION, now - RETENTION)
        until = min(ends or now, now)
        if since >= until:
            return None
        for step in STEPS:
            midnight = zones.local(since).replace(hour=0, minute=0, second=0, microsecond=0)
            first = midnight.astimezone(UTC).replace(minute=0)  # calls are counted by whole hours of UTC
            first += (since - first) // step * step
            count = -((first - until) // step)
            if count <= MOST_BARS:
                return cls(first, step, count)
        return None

    @property
    def ends(self) -> datetime:
        return self.begins + self.step * self.count

    @property
    def has_whole_hours(self) -> bool:
        return self.step >= HOUR

    def bar(self, number: int) -> tuple[datetime, datetime]:
        return self.begins + self.step * number, self.begins + self.step * (number + 1)


@dataclass(frozen=True, slots=True)
class ErrorType:
    name: str
    calls: str
    address: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """`counts` has the calls of a bar and a class, `(4, "5")`. `status` is that of the address."""

    span: Span
    counts: Mapping[tuple[int, str], int]
    query: Mapping[str, str]
    status: str
    error_types: Sequence[ErrorType] = ()
    is_of_newest: bool = False
    """Whether more calls match than were read."""

    @property
    def chart(self) -> SafeString:
        span, numbers = self.span, range(self.span.count)
        drawn = OF_STATUS.get(self.status, self.status)
        lines, links = [], []
        for digit, (name, tone) in CLASSES.items():
            values = [self.counts.get((number, digit), 0) if digit in drawn else 0 for number in numbers]
            lines.append(Line(name, values, tone=tone))
            is_chosen = self.status == digit
            links.append((address(self.query, "status", "" if is_chosen else digit), is_chosen))
        bars = [(zones.local(begins), zones.local(ends)) for begins, ends in map(span.bar, numbers)]
        by_day = span.step > HOUR and bars[-1][0].date() != bars[0][0].date()
        labels = [
            (period_label(begins, ends), f"{begins.day} {begins:%b}" if by_day else f"{begins:%H:%M}")
            for begins, ends in bars
        ]
        sums = [sum(self.counts.get((number, digit), 0) for digit in drawn) for number in numbers]
        by_period = {name: text for name, text in self.query.items() if name not in PERIOD}
        return stacks(
            labels,
            lines,
            says=f"{sum(sums):,} calls from {period_label(bars[0][0], bars[-1][1])}; at most {max(sums):,} in one bar",
            links=Links(
                [
                    address(by_period, "within", interval(*span.bar(number))) if sums[number] else ""
                    for number in numbers
                ],
                links,
            ),
            title=f"Calls by {STEPS[span.step]}",
        )


PERIOD = ("since", "until", "last", "within")


def address(query: Mapping[str, str], name: str, value: str) -> str:
    """The query of this list with another value of one parameter, from its first page on."""
    others = {key: text for key, text in query.items() if text and key not in (name, "cursor")}
    return "?" + urlencode({**others, name: value} if value else others)


def of_period(
    account_id: str,
    environment: str,
    span: Span,
    *,
    query: Mapping[str, str],
    status: str,
    types: Scalar,
) -> Histogram:
    """Where a period and a status alone narrow the list: whole hours are counted already. One statement."""
    counted, crashed, by_type = read_scalars(
        [
            hours_in_bars(account_id, environment, span.begins, span.ends, span.step),
            crashed_by_hour(account_id, environment, span.begins),
            types,
        ]
    )
    broken: Counter[int] = Counter()
    for hour, calls in (crashed or {}).items():
        broken[(datetime.fromtimestamp(int(hour) * 3_600, UTC) - span.begins) // span.step] += calls
    counts: dict[tuple[int, str], int] = {}
    for bar, calls, errors in counted or []:
        crashes = min(errors, broken[bar])
        counts |= {(bar, "2"): calls - errors, (bar, "4"): errors - crashes, (bar, "5"): crashes}
    return Histogram(span, counts, query, status, most_frequent(by_type or {}, query))


def most_frequent(by_type: Mapping[str, int], query: Mapping[str, str]) -> list[ErrorType]:
    query = {name: text for name, text in query.items() if name != "status"}
    most = sorted(by_type.items(), key=lambda each: (-each[1], each[0]))[:TYPES_SHOWN]
    return [ErrorType(name, capped_words(calls), address(query, "error_type", name)) for name, calls in most]


def of_matches(
    calls: QuerySet[LoggedCall],
    span: Span,
    *,
    query: Mapping[str, str],
    status: str,
    types: Scalar | None = None,
) -> Histogram:
    """Of the newest of `calls`; `types` is what `errors_by_type` counts. One statement."""
    found, by_type = read_scalars([calls_in_bars(calls, span.begins, span.step), types or Scalar("NULL")])
    counts = {(bar, str(digit)): number for bar, digit, number in found or []}
    return Histogram(
        span,
        counts,
        query,
        status,
        most_frequent(by_type or {}, query),
        is_of_newest=sum(counts.values()) >= MOST_IN_BARS,
    )
