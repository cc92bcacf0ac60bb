"""What templates are made of: tags and filters, charts, JSON, and the fields From and To."""

import json
import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.forms import ValidationError
from django.test import Client
from django.utils import timezone

from apps.portal import charts
from apps.portal.charts import Line, evenly, plot, stacks
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
CALLS = [Line("2xx", [1, 1_200, 3], tone="good"), Line("5xx", [0, 4, None], tone="bad")]
CHARTS = {
    "sparkline": charts.sparkline(CALLS, says="says <this>"),
    "plot": plot(evenly(HOURS), CALLS, says="says <this>"),
    "stacks": stacks(HOURS, CALLS, says="says <this>"),
}


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_a_chart_brings_no_style_no_script_and_says_what_it_shows(chart: str):
    assert re.findall(r"<style|<script|style=|\son\w+=|http", chart) == []
    assert 'role="img" aria-label="says &lt;this&gt;"' in chart
    assert "<a>" not in chart, "Labels are escaped"


def test_bars_stand_on_each_other_and_nothing_has_no_bar():
    chart = stacks(HOURS, [Line("2xx", [50, 0, 2]), Line("5xx", [50, 10, None])], says="Calls")
    bars = re.findall(
        r'<rect class="bar" x="([\d.]+)%" y="([\d.]+)%" width="[\d.]+%" height="([\d.]+)%"', chart
    )
    assert [(round(float(x)), float(y), float(tall)) for x, y, tall in bars] == [
        (4, 54.0, 46.0),
        (71, 98.16, 1.84),
        (4, 8.0, 46.0),
        (37, 90.8, 9.2),
    ]
    rows = re.findall(
        r'<th scope="row">(.*?)</th><td class="num">(.*?)</td><td class="num">(.*?)</td>', chart
    )
    assert [values for _, *values in rows] == [["50", "50"], ["0", "10"], ["2", "–"]]


STYLES = Path(settings.BASE_DIR, "static/css")


@pytest.mark.parametrize("name", [path.name for path in sorted(STYLES.glob("*.css"))])
def test_a_colour_is_written_among_the_tokens_alone(name: str):
    text = (STYLES / name).read_text()
    rules = (
        re.sub(r"^:root \{.*?^\}", "", text, count=1, flags=re.DOTALL | re.MULTILINE)
        if name == "base.css"
        else text
    )
    assert re.findall(r"#[0-9a-f]{3,8}\b(?![^{]*\{)", rules) == []


def test_the_typeface_is_ours_and_its_first_file_is_asked_for_early(client: Client):
    files = re.findall(r'url\("\.\./(fonts/[\w-]+\.woff2)"\)', (STYLES / "base.css").read_text())
    assert len(files) == 4
    assert [name for name in files if not (STYLES.parent / name).exists()] == []
    page = client.get("/account/login/")
    assert (
        f'<link rel="preload" href="/static/{files[0]}" as="font" type="font/woff2" crossorigin>'
        in page.content.decode()
    )
    assert "font-src 'self'" in page["Content-Security-Policy"]


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
