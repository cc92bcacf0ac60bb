"""The histogram above the list of requests: what its bars count is what they lead to."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import parse_qs

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.portal.requests.histogram import MOST_BARS, STEPS, Histogram, Span
from apps.request_log import selectors
from tests.portal.crowd import crowd
from tests.portal.person import Person
from tests.portal.reading import text_of
from tests.portal.sample_data import add_sample_data
from tests.portal.test_home_metrics import call_at, count_in_list

pytestmark = pytest.mark.django_db
LIST = "/portal/test/requests/"
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def portal(portal: Person, monkeypatch) -> Person:
    monkeypatch.setattr("apps.common.clock.now", lambda partner=None: NOON)
    monkeypatch.setattr("apps.common.clock.now_here", lambda: NOON)
    for hours, status, kind in (
        (0.1, 200, ""),
        (0.1, 500, "internal_error"),
        (0.2, 400, "invalid_request"),
        (2.5, 200, ""),
        (2.6, 400, "invalid_request"),
        (50, 404, "not_found"),
        (29 * 24, 200, ""),
    ):
        call_at(portal, NOON - timedelta(hours=hours), status=status, error_type=kind)
    return portal


def histogram(portal: Person, **query: str) -> Histogram:
    found: Histogram = portal.get(LIST, **query).context["histogram"]
    return found


def bars(shown: Histogram) -> list[str]:
    """`10:00 2:1 4:1`, for each bar with calls: its beginning, and its calls by the class of their status."""
    numbers = sorted({number for number, _ in shown.counts})
    return [
        " ".join(
            [
                f"{shown.span.bar(number)[0]:%d %H:%M}",
                *(
                    f"{digit}:{shown.counts[number, digit]}"
                    for digit in "245"
                    if shown.counts.get((number, digit))
                ),
            ]
        )
        for number in numbers
    ]


@pytest.mark.parametrize(
    ("query", "step", "expected"),
    [
        ({}, "day", ["25 00:00 2:1", "21 00:00 4:1", "23 00:00 2:2 4:2 5:1"]),
        ({"last": "24h"}, "hour", ["23 09:00 2:1 4:1", "23 11:00 2:1 4:1 5:1"]),
        ({"last": "7d"}, "6 h", ["21 06:00 4:1", "23 06:00 2:2 4:2 5:1"]),
        ({"last": "today"}, "hour", ["23 09:00 2:1 4:1", "23 11:00 2:1 4:1 5:1"]),
        ({"last": "1h"}, "5 min", ["23 11:45 4:1", "23 11:50 2:1 5:1"]),
        ({"within": "2026-11-23T09:00:00Z/2026-11-23T10:00:00Z"}, "5 min", ["23 09:20 4:1", "23 09:30 2:1"]),
        ({"error_type": "invalid_request", "last": "24h"}, "hour", ["23 09:00 4:1", "23 11:00 4:1"]),
        ({"status": "5", "operation": "getAccount", "last": "24h"}, "hour", ["23 11:00 5:1"]),
    ],
)
def test_calls_are_stacked_by_their_status(portal, query, step, expected):
    shown = histogram(portal, **query)
    assert (STEPS[shown.span.step], bars(shown)) == (step, expected)
    assert shown.span.count <= MOST_BARS


@pytest.mark.parametrize("query", [{}, {"last": "24h"}, {"last": "1h"}, {"status": "errors", "last": "7d"}])
def test_a_bar_leads_to_the_calls_it_counts_and_keeps_the_other_filters(portal, query):
    page = portal.get(LIST, **query).content.decode()
    links = [unescape(each) for each in re.findall(r'<a href="([^"]+)" tabindex="-1">', page)]
    table = [unescape(each) for each in re.findall(r'<th scope="row"><a href="([^"]+)">', page)]
    assert links == table, "By the keyboard too"
    shown = histogram(portal, **query)
    digits = "45" if query.get("status") else "245"
    counts = [
        sum(shown.counts.get((number, digit), 0) for digit in digits) for number in range(shown.span.count)
    ]
    assert [count_in_list(portal, LIST + link) for link in links] == [str(count) for count in counts if count]
    for link in links:
        assert set(parse_qs(link.removeprefix("?"))) == {"within", *({"status"} & set(query))}
    assert "Within: 23 Nov, " in text_of(portal.get(LIST + links[-1]))


def test_the_legend_chooses_a_status_and_gives_it_up_again(portal):
    def legend(**query):
        page = portal.get(LIST, **query).content.decode()
        return re.findall(r'<a class="legend [^"]+" href="([^"]*)"( aria-current="true")?><span>(\w+)', page)

    assert legend(last="24h")[1] == ("?last=24h&amp;status=4", "", "4xx")
    assert legend(last="24h", status="4")[1] == ("?last=24h", ' aria-current="true"', "4xx")
    assert legend(status="4")[2][0] == "?status=5"


def test_the_most_frequent_errors_of_the_period_are_offered(portal):
    def offered(**query):
        return [(kind.name, kind.calls, kind.address) for kind in histogram(portal, **query).error_types]

    assert offered() == [
        ("invalid_request", "2", "?error_type=invalid_request"),
        ("internal_error", "1", "?error_type=internal_error"),
        ("not_found", "1", "?error_type=not_found"),
    ]
    assert offered(within="2026-11-23T09:00:00Z/2026-11-24T11:00:00Z")[0][:2] == ("invalid_request", "2")
    assert offered(within="2026-11-21T09:00:00Z/2026-11-22T22:00:00Z")[0][:2] == ("not_found", "1")
    assert [name for name, *_ in offered(last="1h")] == ["internal_error", "invalid_request"]
    assert offered(operation="getAccount") == [], "They would be those of all operations"


@pytest.mark.parametrize(
    "query",
    [
        {"product": "hotels"},
        {"operation": "/v1/acc"},
        {"since": "2100-01-01"},
        {"until": "2020-01-01"},
        {"within": "2026-11-23T09:00:00Z/2026-11-23T09:01:00Z"},
    ],
)
def test_without_calls_or_an_index_there_is_none(portal, query):
    page = portal.get(LIST, **query)
    assert (page.status_code, page.context["histogram"]) == (200, None)


@pytest.mark.parametrize("query", [{"status": "teapot"}, {"since": "soon"}, {"within": "x"}, {"key": "x"}])
def test_what_cannot_be_read_narrows_nothing(portal, query):
    assert sum(histogram(portal, **query).counts.values()) == 7


def test_of_many_calls_that_match_the_newest_are_drawn(portal, monkeypatch):
    monkeypatch.setattr(selectors, "MOST_IN_BARS", 2)
    monkeypatch.setattr("apps.portal.requests.histogram.MOST_IN_BARS", 2)
    page = portal.get(LIST, operation="getAccount", last="24h")
    assert bars(page.context["histogram"]) == ["23 11:00 2:1 5:1"]
    assert "Of the latest 10,000 calls that match." in text_of(page)
    assert "Of the latest" not in text_of(portal.get(LIST, last="24h"))


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("now", ["2026-11-23T12:00:00Z", "2026-03-29T21:59:59Z", "2026-11-01T23:30:00Z"])
def test_every_span_has_few_bars_that_cover_it(zone, now):
    from django.utils import timezone

    at = datetime.fromisoformat(now)
    with timezone.override(zone):
        for length in (1, 59, 3_600, 86_400, 86_401, 7 * 86_400, 30 * 86_400, 90 * 86_400):
            span = Span.of(at - timedelta(seconds=length), None, at)
            assert span is not None
            assert span.count <= MOST_BARS
            begins = max(at - timedelta(seconds=length), at - timedelta(days=30))
            assert span.begins <= begins < span.begins + span.step
            assert span.ends - span.step < at <= span.ends
            assert not span.has_whole_hours or span.begins.minute == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "query", [{}, {"last": "7d"}, {"error_type": "rate_limit_exceeded"}, {"operation": "searchFlights"}]
)
def test_a_page_over_100_000_calls_takes_few_statements(portal: Person, query, monkeypatch):
    monkeypatch.undo()  # today
    crowd(portal.account, add_sample_data(portal.account, portal.user))
    portal.get(LIST)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page = portal.get(LIST, **query)
    assert len(asked) <= 12, [each["sql"][:90] for each in asked]
    assert sum(page.context["histogram"].counts.values()) > 1_000
