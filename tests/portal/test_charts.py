"""Charts: shapes without styles of their own, and a text for screen readers."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from apps.portal import charts

DAY = datetime(2026, 11, 1, tzinfo=UTC)
CHARTS = [
    charts.sparkline([1, 4, 2, 8], says="says <this>"),
    charts.ring(30, 100, says="says <this>"),
    charts.area({"Calls": [1, 2, 3]}, ["<a>", "b", "c"], says="says <this>"),
    charts.steps({"Available": [(DAY, 3), (DAY + timedelta(days=3), 7)]}, says="says <this>", wide=True),
]


@pytest.mark.parametrize("chart", CHARTS, ids=["sparkline", "ring", "area", "steps"])
def test_a_chart_brings_no_style_no_script_and_says_what_it_shows(chart):
    assert re.findall(r"<style|<script|style=|\son\w+=|<title|<desc|http://(?!www\.w3\.org)", chart) == []
    assert 'role="img" aria-label="says &lt;this&gt;"' in chart
    assert "<path" in chart
    assert "<a>" not in chart, "Labels are escaped"


@pytest.mark.parametrize("values", [[], [0], [0, 0, 0], [5], [None, 3, None], [10**12, 1]])
def test_a_line_is_drawn_of_whatever_there_is(values):
    assert "</svg>" in charts.sparkline(values, says="calls")
    assert "</svg>" in charts.area({"Calls": values}, [str(n) for n in range(len(values))], says="calls")


@pytest.mark.parametrize(("part", "whole"), [(0, 0), (0, 10), (10, 10), (25, 10), (-3, 10)])
def test_a_ring_is_never_more_than_full(part, whole):
    assert "</svg>" in charts.ring(part, whole, says="used")
    assert charts.ring(25, 10, says="used") == charts.ring(10, 10, says="used")


def test_a_balance_holds_until_it_changes():
    points = [(DAY, 3), (DAY + timedelta(days=2), 7)]
    assert charts.held(points) == [(DAY, 3), (DAY + timedelta(days=2), 3), (DAY + timedelta(days=2), 7)]
    assert charts.held([]) == []
