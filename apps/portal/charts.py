"""Charts as SVG in the page: drawn by pygal, coloured by our stylesheet, each with a text for screen readers.

pygal's own styles, scripts and tooltips are removed, because the content policy forbids them and the page has two themes.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pygal
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

# pygal leaves an import finder of a kind that Python 3.12 dropped. Callers that ask every finder, as pytest does, would fail.
sys.meta_path[:] = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]

WITHOUT = {"defs", "title", "desc", "style", "script"}
OVERLAYS = ("plot overlay", "plot text-overlay", "plot tooltip-overlay", "titles")

FOCUSABLE = mark_safe(' tabindex="0"')
"""On a narrow screen a wide chart scrolls, also with the keyboard."""

Number = int | float
Gap = Number | None
"""None interrupts the line."""
Say = Callable[[Number], str]


def sparkline(values: Sequence[Gap], *, says: str, beside: Sequence[Gap] = ()) -> SafeString:
    """A line without axes, shown beside a number. `beside` is a second line, for failures."""
    chart = pygal.Line(
        **plain(180, 40), show_x_labels=False, show_y_labels=False, **bare_axes([*values, *beside])
    )
    chart.add("", list(values))
    if beside:
        chart.add("", list(beside))
    return figure(chart, "spark", says, stretch=True)


def ring(part: Number, whole: Number, *, says: str) -> SafeString:
    """A ring that shows `part` of `whole`, at most the full ring. The page writes the text in its middle."""
    chart = pygal.SolidGauge(**plain(120, 120), inner_radius=0.82)
    chart.add("", [{"value": min(max(part, 0), whole) if whole else 0, "max_value": whole or 1}])
    return figure(chart, "ring", says)


def whole(value: Number) -> str:
    return f"{value:,.0f}"


def area(
    series: Mapping[str, Sequence[Gap]],
    labels: Sequence[str],
    *,
    says: str,
    write: Say = whole,
    wide: bool = False,
) -> SafeString:
    """Filled lines over evenly spaced `labels`, the first series at the back. At most seven labels are written.

    `wide` is for a chart across the whole page, so that its labels are as large as elsewhere.
    """
    every = max(1, -(-len(labels) // 7))
    chart = pygal.Line(
        **plain(1080 if wide else 560, 220), value_formatter=write, show_only_major_dots=True, **axes()
    )
    chart.x_labels = list(labels)
    chart.x_labels_major = list(labels)[::every]
    chart.show_minor_x_labels = False
    for name, values in series.items():
        chart.add(name, list(values))
    return figure(chart, "area chart-wide" if wide else "area", says, scrolls=True)


def steps(
    series: Mapping[str, Sequence[tuple[datetime, Number]]],
    *,
    says: str,
    write: Say = whole,
    wide: bool = False,
) -> SafeString:
    """A value that stays until it changes, such as a balance: each point holds until the next one."""
    chart = pygal.DateTimeLine(
        **plain(1080 if wide else 560, 220),
        value_formatter=write,
        x_value_formatter=lambda at: f"{at:%d %b}",
        **axes(),
    )
    for name, points in series.items():
        chart.add(name, held(points))
    return figure(chart, "steps chart-wide" if wide else "steps", says, scrolls=True)


def held(points: Sequence[tuple[datetime, Number]]) -> list[tuple[datetime, Number]]:
    """The points, with the previous value repeated just before each one."""
    corners = list(points[:1])
    for (_, before), (at, value) in pairwise(points):
        corners += [(at, before), (at, value)]
    return corners


def plain(width: int, height: int) -> dict[str, Any]:
    return {
        "width": width,
        "height": height,
        "margin": 2,
        "js": [],
        "css": [],
        "show_legend": False,
        "no_prefix": True,
        "no_data_text": "",
    }


def axes() -> dict[str, Any]:
    return {"fill": True, "show_dots": False, "max_scale": 5, "truncate_label": -1, "include_x_axis": True}


def bare_axes(values: Sequence[Gap]) -> dict[str, Any]:
    return {
        "fill": True,
        "show_dots": False,
        "show_y_guides": False,
        "range": (0, max([1, *(value for value in values if value is not None)])),
    }


def figure(chart: Any, kind: str, says: str, *, stretch: bool = False, scrolls: bool = False) -> SafeString:
    """`chart` as an image. Screen readers read `says`."""
    tree = chart.render_tree()
    strip(tree)
    outline(tree)
    for name in ("id", "class"):
        tree.attrib.pop(name, None)
    if stretch:
        tree.set("preserveAspectRatio", "none")
    tree.set("aria-hidden", "true")
    tree.set("focusable", "false")
    drawn = ElementTree.tostring(tree, encoding="unicode")
    return format_html(
        '<div class="chart chart-{}" role="img" aria-label="{}"{}>{}</div>',
        kind,
        says,
        FOCUSABLE if scrolls else "",
        mark_safe(drawn),  # noqa: S308 - pygal's numbers, and labels that ElementTree escaped
    )


def outline(tree: Any) -> None:
    """pygal draws a filled line as one closed path. Draw the line again, without the parts down to the axis."""
    for series in tree.iter("g"):
        for path in series.findall("path[@class='line reactive']"):
            path.set("class", "fill")
            corners = path.get("d").replace("M", "").replace("L", "").split()
            if len(corners) > 4:
                series.append(path.makeelement("path", {"class": "line", "d": f"M{' '.join(corners[2:-2])}"}))


def strip(element: Any) -> None:
    """Keep shapes and labels. Remove pygal's styles and what reacts to a pointer."""
    element.attrib.pop("style", None)
    for child in list(element):
        is_comment = not isinstance(child.tag, str)
        if is_comment or child.tag in WITHOUT or child.get("class") in OVERLAYS:
            element.remove(child)
        else:
            strip(child)
