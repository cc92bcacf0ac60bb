"""What a document says, apart from how it looks: the PDF and the HTML are two renderings of this one object.

Everything is text that people read, in the document's language. A renderer only places it: no text is markup, whatever
characters it has. What is empty is left out, with its title.
"""

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """A label and what it names. `value` may have several lines."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Point:
    """One end of a span: when and where. `day` and `time` are local to the place."""

    label: str
    day: str
    time: str = ""
    place: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """From one point to another: a stay, a flight, a ride. `title` stands above it, `middle` between the two."""

    start: Point
    end: Point
    title: str = ""
    middle: str = ""
    detail: str = ""

    @property
    def points(self) -> tuple[Point, Point]:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Table:
    """`head` has a title for each column. `amounts`: the last column has amounts of money, set to the right."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    amounts: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code, as SVG, beside its rows."""

    svg: str
    caption: str
    rows: tuple[Row, ...] = ()

    @property
    def address(self) -> str:
        """The SVG as the address of a picture, which runs nothing that may be in it."""
        return f"data:image/svg+xml;base64,{b64encode(self.svg.encode()).decode()}"


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part: any of a code, spans, rows, tables, numbered steps and notes, in this order."""

    title: str
    code: Code | None = None
    spans: tuple[Span, ...] = ()
    rows: tuple[Row, ...] = ()
    tables: tuple[Table, ...] = ()
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.code or self.spans or self.rows or self.tables or self.steps or self.notes)


@dataclass(frozen=True, slots=True)
class Seller:
    """In whose name the document is handed out. `lines` stand at its foot, `emergency_phone` is for travellers on their way.
    `logo` is a PNG as a `data:` address, empty without a logo.
    """

    name: str
    lines: tuple[str, ...] = ()
    logo: str = ""
    emergency_phone: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """`language` is a code of ISO 639-1. `subject` is the largest line: the hotel, the route. `test` is the mark of what is not
    valid, on each page. `references` are what a desk looks the booking up by.
    """

    language: str
    title: str
    seller: Seller
    subject: str
    lines: tuple[str, ...] = ()
    status: str = ""
    is_void: bool = False
    """It was cancelled: the status is a warning."""
    test: str = ""
    references: tuple[Row, ...] = ()
    sections: tuple[Section, ...] = ()
    closing: str = ""
    parts: tuple["Document", ...] = ()
    """Of a trip: the documents of its bookings, each under its own subject. Their seller, mark, page and name are not shown."""
    part_pages: bool = False
    """Whether each part begins on a page of its own."""
    page: str = "{} / {}"
    """How a page is numbered: the first pair of braces is its number, the second how many there are."""
    name: str = field(default="document", kw_only=True)
    """Of its file, without extension: letters, digits and hyphens."""


def rows(*pairs: tuple[str, str]) -> tuple[Row, ...]:
    """Those that have a value."""
    return tuple(Row(label, value) for label, value in pairs if value)


def table(head: Iterable[str], lines: Iterable[Iterable[str]], *, amounts: bool = False) -> tuple[Table, ...]:
    """A table without the columns in which no line has anything; none without lines."""
    titles, cells = tuple(head), [tuple(line) for line in lines]
    kept = [at for at in range(len(titles)) if any(line[at] for line in cells)]
    if not kept:
        return ()
    found = tuple(tuple(line[at] for at in kept) for line in cells)
    return (Table(tuple(titles[at] for at in kept), found, amounts=amounts and len(titles) - 1 in kept),)


def filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    return tuple(section for section in sections if not section.is_empty)
