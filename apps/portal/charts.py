"""Charts as SVG."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import floor, log10

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

HOURS = 24
TALL, LOW = 120, 72
"""The heights of a chart, in pixels; the low one is above a list."""


def last_hours(now: datetime) -> list[datetime]:
    """The beginnings of the last 24 hours in UTC, the oldest first and the current hour last."""
    current = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return [current - timedelta(hours=ago) for ago in reversed(range(HOURS))]


def rounded_up(highest: float) -> float:
    """The next number that reads well, and whose half does: 1, 2, 4, 6, 8 or 10 times a power of ten. 2 for less than that."""
    power = 10.0 ** floor(log10(highest)) if highest > 0 else 1.0
    top = next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= highest * (1 - 1e-9))
    return max(2, top)


def period_label(begins: datetime, ends: datetime) -> str:
    """`23 Nov, 14:00 to 15:00`, `23 Nov, 00:00 to 24 Nov, 00:00`, in the zone of the two times."""
    form = "%H:%M:%S" if begins.second or ends.second else "%H:%M"
    until = f"{ends:{form}}" if ends.date() == begins.date() else f"{ends.day} {ends:%b}, {ends:{form}}"
    return f"{begins.day} {begins:%b}, {begins:{form}} to {until}"


Number = int | float
Gap = Number | None
"""None interrupts the line."""
Say = Callable[[Number], str]
WIDTH, HEIGHT = 1000, 100
"""Of the picture that is stretched to its frame."""
TOP = 8
"""Room above the highest value, in percent."""
APART = 0.19
"""How far the texts at the horizontal axis stand apart at least: a part of its length, enough at 390 pixels."""
EDGE = 0.08
WIDE_DIGIT = 8
"""The width of a digit at the vertical axis in pixels, or a little more."""
BAR = 0.76
"""The part of its place that a bar takes."""


def whole(value: Number) -> str:
    return f"{value:,.0f}"


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the horizontal axis: where it is, from 0 to 1; its label in full, and as it stands at the axis."""

    at: float
    label: str
    short: str


@dataclass(frozen=True, slots=True)
class Line:
    """One value for each point. `tone` is that of a state, `good`, `warn` or `bad`; without one a line has its own colour."""

    name: str
    values: Sequence[Gap]
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """Where a chart leads: one address for each bar, "" for none, and for each line its address and whether it is chosen."""

    bars: Sequence[str]
    lines: Sequence[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Band:
    """What belongs to one point: where the pointer finds it, in percent, and its values in words."""

    x: float
    width: float
    middle: float
    label: str
    said: Sequence[tuple[str, str]]
    link: str = ""

    @property
    def text(self) -> str:
        return "\n".join([self.label, *(f"{name}: {value}" for name, value in self.said)])


def evenly(labels: Sequence[tuple[str, str]]) -> list[Point]:
    """Points at the same distance; each label in full, and short."""
    last = max(1, len(labels) - 1)
    return [Point(number / last, full, short) for number, (full, short) in enumerate(labels)]


def plot(
    points: Sequence[Point],
    lines: Sequence[Line],
    *,
    says: str,
    of: str = "Time",
    write: Say = whole,
    held: bool = False,
) -> SafeString:
    """Filled lines with axes, a legend and a table. `says` is read by screen readers, `of` heads the table's first column.

    `held`: a value stays until the next point, as a balance does.
    """
    highest = rounded_up(max([1, *(value for line in lines for value in line.values if value is not None)]))
    shapes = format_html_join(
        "",
        '<g class="series {}">{}</g>',
        ((tone, shape(points, line.values, highest, held)) for tone, line in toned(lines)),
    )
    shapes = format_html(
        '<svg viewBox="0 0 {} {}" width="100%" height="100%" preserveAspectRatio="none">{}</svg>',
        WIDTH,
        HEIGHT,
        shapes,
    )
    return framed(points, lines, shapes, highest, list(bands(points, lines, write, held)), says, of, write)


def stacks(
    labels: Sequence[tuple[str, str]],
    lines: Sequence[Line],
    *,
    says: str,
    of: str = "Time",
    write: Say = whole,
    links: Links | None = None,
    title: str = "",
) -> SafeString:
    """A bar for each label, full and short, with the values of the lines on top of each other; the first one at the bottom.

    With `links` it is a low chart above a list, which it filters; `title` then stands beside the legend.
    """
    part = 1 / max(1, len(labels))
    points = [Point((number + 0.5) * part, full, short) for number, (full, short) in enumerate(labels)]
    sums = [
        sum(value or 0 for value in values) for values in zip(*(line.values for line in lines), strict=True)
    ]
    highest = rounded_up(max([1, *sums]))
    shown = list(bands(points, lines, write, False))
    for number, band in enumerate(shown):
        link = links.bars[number] if links else ""
        shown[number] = replace(band, x=round(number * part * 100, 2), width=round(part * 100, 2), link=link)
    return framed(points, lines, bars(lines, highest), highest, shown, says, of, write, links, title)


def framed(
    points: Sequence[Point],
    lines: Sequence[Line],
    shapes: SafeString,
    highest: Number,
    shown: "Sequence[Band]",
    says: str,
    of: str,
    write: Say,
    links: Links | None = None,
    title: str = "",
) -> SafeString:
    of_lines = links.lines if links else [("", False)] * len(lines)
    guides = [(height(part * highest, highest), write(part * highest)) for part in (0.5, 1)]
    return SafeString(
        render_to_string(
            "portal/parts/chart.html",
            {
                "says": says,
                "of": of,
                "legend": [
                    (tone, line.name, *link)
                    for (tone, line), link in zip(toned(lines), of_lines, strict=True)
                ],
                "linked": links is not None,
                "title": title,
                "tall": LOW if links else TALL,
                "guides": guides,
                "margin": max(len(text) for _, text in guides) * WIDE_DIGIT,
                "shapes": shapes,
                "bands": shown,
                "labels": axis_labels(points),
            },
        )
    )


def toned(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    for number, line in enumerate(lines):
        yield f"serie-{line.tone or number}", line


def sparkline(lines: Sequence[Line], *, says: str) -> SafeString:
    """Stacked bars without axes, shown beside a number."""
    highest = max(
        [
            1,
            *(
                sum(value or 0 for value in values)
                for values in zip(*(line.values for line in lines), strict=True)
            ),
        ]
    )
    return format_html(
        '<div class="chart chart-spark" role="img" aria-label="{}"><svg aria-hidden="true" focusable="false">{}</svg></div>',
        says,
        bars(lines, highest),
    )


def bars(lines: Sequence[Line], highest: Number) -> SafeString:
    """The bars of each line, each on what lines before it have there. A value that is not nothing is seen: a bar of 1 %."""
    count = max(1, len(lines[0].values))
    below, drawn = [0.0] * count, SafeString("")
    for tone, line in toned(lines):
        bars_of_line = []
        for number, value in enumerate(line.values):
            if value:
                tall = max(1.0, float(value) / highest * (100 - TOP))
                below[number] += tall
                left = (number + (1 - BAR) / 2) * 100 / count
                bars_of_line.append(
                    (f"{left:.2f}", f"{100 - below[number]:.2f}", f"{BAR * 100 / count:.2f}", f"{tall:.2f}")
                )
        rects = format_html_join(
            "", '<rect class="bar" x="{}%" y="{}%" width="{}%" height="{}%"/>', bars_of_line
        )
        drawn += format_html('<g class="series {}">{}</g>', tone, rects)
    return drawn


def shape(points: Sequence[Point], values: Sequence[Gap], highest: Number, held: bool = False) -> SafeString:
    """The line, and the area below it. A gap ends both."""
    drawn = SafeString("")
    for corners in runs(points, values, highest, held):
        line = " ".join(f"{x:g},{y:g}" for x, y in corners)
        floor = f"{corners[-1][0]:g},{HEIGHT} {corners[0][0]:g},{HEIGHT}"
        drawn += format_html(
            '<path class="fill" d="M{} {}Z"/><path class="line" d="M{}"/>', line, floor, line
        )
    return drawn


def runs(
    points: Sequence[Point], values: Sequence[Gap], highest: Number, held: bool
) -> Iterator[list[tuple[float, float]]]:
    """The corners of each part of the line that has no gap. A single value is drawn as a short line."""
    corners: list[tuple[float, float]] = []
    for point, value in zip(points, values, strict=True):
        if value is None:
            if corners:
                yield corners
            corners = []
            continue
        x, y = round(point.at * WIDTH, 1), round(height(value, highest) * HEIGHT / 100, 2)
        if held and corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    if len(corners) == 1:
        [(x, y)] = corners
        corners = [(max(0, x - 3), y), (min(WIDTH, x + 3), y)]
    if corners:
        yield corners


def height(value: Number, highest: Number) -> float:
    return round(100 - float(value) / highest * (100 - TOP), 2)


def bands(points: Sequence[Point], lines: Sequence[Line], write: Say, held: bool) -> Iterator[Band]:
    """One for each point, from half-way to the one before it to half-way to the next; of held values, to the next."""
    at = [point.at for point in points]
    for number, point in enumerate(points):
        before, after = at[max(0, number - 1)], at[min(len(at) - 1, number + 1)]
        begins = point.at if held else (before + point.at) / 2
        ends = after if held else (point.at + after) / 2
        if len(points) == 1:
            begins, ends = 0.0, 1.0
        said = [
            (line.name, "–" if (value := line.values[number]) is None else write(value)) for line in lines
        ]
        yield Band(
            round(begins * 100, 2),
            round((ends - begins) * 100, 2),
            round(point.at * 100, 2),
            point.label,
            said,
        )


def axis_labels(points: Sequence[Point]) -> list[tuple[float, str, str]]:
    """Where, in percent; how the text is anchored there; the text. The last point has one, and no two stand close together."""
    chosen: list[Point] = []
    for point in reversed(points):
        if not chosen or chosen[-1].at - point.at >= APART:
            chosen.append(point)
    return [(round(point.at * 100, 2), anchor(point.at), point.short) for point in reversed(chosen)]


def anchor(at: float) -> str:
    """Beside the edges the text stays within the chart."""
    if at <= EDGE:
        return "start"
    return "end" if at >= 1 - EDGE else "middle"
