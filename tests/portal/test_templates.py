"""What templates are made of: tags and filters, charts, JSON, and the fields From and To."""

import json
import re
from datetime import UTC, datetime
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from django.forms import ValidationError
from django.utils import timezone

from apps.portal import charts
from apps.portal.charts import Line, evenly, plot
from apps.portal.json_html import json_view
from apps.portal.lists import MomentField, read_moment
from apps.portal.templatetags.portal import amount


@pytest.mark.parametrize(
    ("cents", "currency", "said"),
    [
        (123_450, "EUR", "1,234.50"),
        (5, "EUR", "0.05"),
        (-70_000, "EUR", "−700.00"),
        (1_235, "JPY", "1,235"),
        (1_235, "KWD", "1.235"),
        (0, "EUR", "0.00"),
    ],
)
def test_an_amount_has_the_places_of_its_currency(cents, currency, said):
    assert amount(cents, currency) == said


HOURS = [("<a>, 10:00", "10:00"), ("11:00", "11:00"), ("12:00", "12:00")]
CALLS = [Line("Calls", [1, 1_200, 3]), Line("Errors", [0, 4, None], is_bad=True)]
CHARTS = [
    charts.sparkline([1, 4, 2, 8], says="says <this>"),
    charts.ring(30, 100, says="says <this>"),
    plot(evenly(HOURS), CALLS, says="says <this>"),
]


@pytest.mark.parametrize("chart", CHARTS, ids=["sparkline", "ring", "plot"])
def test_a_chart_brings_no_style_no_script_and_says_what_it_shows(chart: str):
    assert re.findall(r"<style|<script|style=|\son\w+=|http", chart) == []
    assert 'role="img" aria-label="says &lt;this&gt;"' in chart
    assert "<a>" not in chart, "Labels are escaped"


def json_text(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html))


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1, "b": {"c": [1, 2.5, None, True], "d": {}}, "e": []},
        [],
        "plain",
        None,
        {"<script>": "</details>\"&'", "é": "\u2028\n"},
        [[{"deep": [[1]]}]],
    ],
)
def test_the_text_of_the_view_is_the_json(value):
    html = json_view(value)
    assert json.loads(json_text(html)) == value
    assert json_text(html).strip() == json.dumps(value, indent=2, ensure_ascii=False)


def test_what_was_sent_is_no_markup():
    html = json_view({"<img src=x>": "<script>alert(1)</script>", 'a"b': '" onclick="x'})
    assert set(re.findall(r"<(\w+)", html)) == {"details", "summary", "span"}
    assert "onclick=&quot;" not in re.sub(r">[^<]*<", "><", html)


BERLIN = ZoneInfo("Europe/Berlin")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("2026-11-23T14:05", utc(2026, 11, 23, 13, 5), utc(2026, 11, 23, 13, 5)),
        ("2026-11-23 14:05", utc(2026, 11, 23, 13, 5), utc(2026, 11, 23, 13, 5)),
        ("2026-11-23T14:05:07", utc(2026, 11, 23, 13, 5, 7), utc(2026, 11, 23, 13, 5, 7)),
        ("2026-11-23", utc(2026, 11, 22, 23), utc(2026, 11, 23, 23)),
        ("2026-11-23T14:05:00Z", utc(2026, 11, 23, 14, 5), utc(2026, 11, 23, 14, 5)),
        ("2026-11-23T14:05:00.250000+02:00", utc(2026, 11, 23, 12, 5, 0, 250_000), None),
        # The clocks go back at 3: half past two is twice. And forward at 2: half past two is never.
        ("2026-10-25T02:30", utc(2026, 10, 25, 0, 30), utc(2026, 10, 25, 1, 30)),
        ("2026-03-29T02:30", utc(2026, 3, 29, 1, 30), utc(2026, 3, 29, 0, 30)),
        ("", None, None),
        ("9999-12-31", utc(9999, 12, 30, 23), None),
        ("0001-01-01T00:00", None, None),
        ("9999-12-31T23:59:59Z", None, None),
        ("9999-12-31T22:59:59Z", utc(9999, 12, 31, 22, 59, 59), None),
    ],
)
def test_a_moment_is_read_in_the_readers_zone(text, begins, ends):
    with timezone.override(BERLIN):
        assert read_moment(text) == begins
        if ends is not None or begins is None:
            assert read_moment(text, ends_the_day=True) == ends


@pytest.mark.parametrize(
    "text",
    ["soon", "2026-13-01", "2026-02-30T10:00", "10:00", "2026-11-23T14:05:00+0200", "99999-12-31", "Z"],
)
def test_what_is_no_moment_is_refused_in_words(text):
    with pytest.raises(ValidationError, match="as in 2026-11-23T14:05"):
        MomentField(label="From").clean(text)
