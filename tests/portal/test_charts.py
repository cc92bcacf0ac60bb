"""Charts: drawn by the server without styles or scripts, with axes, values and a table."""

import re

import pytest

from apps.portal import charts
from apps.portal.charts import Line, evenly, plot, rounded_up

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


def test_every_value_is_on_hover_and_in_the_table():
    chart = plot(evenly(HOURS), CALLS, says="Calls", of="Hour")
    told = [
        "&lt;a&gt;, 10:00\nCalls: 1\nErrors: 0",
        "11:00\nCalls: 1,200\nErrors: 4",
        "12:00\nCalls: 3\nErrors: –",
    ]
    assert re.findall(r"<title>([^<]+)</title>", chart) == told
    assert re.findall(r'data-tip="([^"]+)"', chart) == told
    rows = [re.findall(r">([^<>]+)<", row) for row in re.findall(r"<tr>(.*?)</tr>", chart)]
    assert rows == [
        ["Hour", "Calls", "Errors"],
        ["&lt;a&gt;, 10:00", "1", "0"],
        ["11:00", "1,200", "4"],
        ["12:00", "3", "–"],
    ]
    assert re.findall(r'class="legend (serie-\w+)">(\w+)', chart) == [
        ("serie-0", "Calls"),
        ("serie-bad", "Errors"),
    ]


def test_points_beside_each_other_have_one_text():
    beside = [charts.Point(at, "", short) for at, short in ((0, "1"), (0.97, "2"), (0.98, "3"), (1, "4"))]
    assert charts.axis_labels(beside) == [(0, "start", "1"), (100, "end", "4")]


def test_the_axes_are_written():
    chart = plot(evenly(HOURS), CALLS, says="Calls")
    assert re.findall(r'<text class="value" x="0" y="([\d.]+)%" dy="-4">([^<]+)<', chart) == [
        ("54.0", "1,000"),
        ("8.0", "2,000"),
    ]
    assert re.findall(r'text-anchor="(\w+)">([^<]+)<', chart) == [
        ("start", "10:00"),
        ("middle", "11:00"),
        ("end", "12:00"),
    ]
    many = plot(evenly([(f"{n}", f"{n}") for n in range(30)]), [Line("Calls", [1] * 30)], says="Calls")
    written = re.findall(r'text-anchor="\w+">([^<]+)<', many)
    assert written == ["5", "11", "17", "23", "29"]


@pytest.mark.parametrize(
    "values", [[], [0], [0, 0, 0], [5], [None, 3, None], [None], [10**12, 1], [0.5, 0.25]]
)
def test_a_line_is_drawn_of_whatever_there_is(values: list[float | None]):
    chart = plot(evenly([("x", "x")] * len(values)), [Line("Calls", values)], says="calls")
    drawn = len(re.findall('<path class="line"', chart))
    assert ("</svg>" in chart, drawn) == (True, 1 if any(value is not None for value in values) else 0)
    assert "</svg>" in charts.sparkline(values, says="calls", beside=values)


def test_a_gap_interrupts_the_line():
    [first, second] = charts.runs(evenly([("", "")] * 5), [1, 2, None, 2, 1], 2, held=False)
    assert (first, second) == ([(0, 54.0), (250.0, 8.0)], [(750.0, 8.0), (1000, 54.0)])


def test_a_held_value_stays_until_it_changes():
    [corners] = charts.runs(evenly([("", "")] * 3), [2, 1, 2], 2, held=True)
    assert corners == [(0, 8.0), (500, 8.0), (500, 54.0), (1000, 54.0), (1000, 8.0)]
    chart = plot(evenly(HOURS), [Line("Available", [3, 2, 1])], says="Balance", held=True)
    assert re.findall(r'<rect x="([\d.]+)%" y="0" width="([\d.]+)%"', chart) == [
        ("0.0", "50.0"),
        ("50.0", "50.0"),
        ("100.0", "0.0"),
    ]


@pytest.mark.parametrize(("part", "most"), [(0, 0), (0, 10), (10, 10), (25, 10), (-3, 10)])
def test_a_ring_is_never_more_than_full(part: int, most: int):
    [share] = re.findall(r'stroke-dasharray="([\d.]+) 100"', charts.ring(part, most, says="used"))
    assert 0 <= float(share) <= 100
    assert charts.ring(25, 10, says="used") == charts.ring(10, 10, says="used")


@pytest.mark.parametrize(
    ("highest", "top"),
    [
        (0, 2),
        (1, 2),
        (3, 4),
        (5, 6),
        (9, 10),
        (10, 10),
        (11, 20),
        (40, 40),
        (41, 60),
        (999, 1_000),
        (0.3, 2),
        (10**12, 10**12),
    ],
)
def test_an_axis_ends_at_a_number_that_reads_well(highest: float, top: float):
    assert rounded_up(highest) == top
