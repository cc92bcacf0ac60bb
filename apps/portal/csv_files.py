"""The rows of a list as a CSV file for a spreadsheet, sent row by row."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect

from apps.accounts import clocks
from apps.common import replica
from apps.common.clock import rfc3339
from apps.portal.context import PortalContext
from apps.portal.list_filters import ListFilters

Row = TypeVar("Row")
PageOf = Callable[[str | None], tuple[Sequence[Row], str | None]]
PAGE_LENGTH = 1_000
MOST = 50_000
"""Rows of a file that is sent at once. Of more it would take longer than an answer may."""
FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
"""How a text begins that a spreadsheet may run: East Asian editions read the full-width signs as the plain ones."""
BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel reads a file in the code page of the machine."""


class Echo:
    """A file whose `write` returns the text, so that each row can be streamed."""

    def write(self, text: str) -> str:
        return text


def all_rows(page_of: PageOf[Row]) -> Iterator[Row]:
    """All rows, read in pages of 1,000 with one statement each. `page_of` gets a cursor, and returns rows and the next cursor.

    A cursor of the database for the whole file would break the statement timeout, and a pooler in transaction mode would lose it.
    Pages come from the replica where that serves.
    """
    return _rows_by(replica.reader(), page_of)


def _rows_by(read: Callable[[Callable[[], Any]], Any], page_of: PageOf[Row]) -> Iterator[Row]:
    cursor: str | None = ""
    while cursor is not None:
        rows, cursor = read(partial(page_of, cursor))
        yield from rows


def csv_lines(columns: Sequence[str] | None, rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Texts that a spreadsheet would run as a formula are escaped, numbers are not. Without columns, the rows alone."""
    writer = csv.writer(Echo())
    if columns is not None:
        yield BYTE_ORDER_MARK + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([without_formula(cell) if isinstance(cell, str) else cell for cell in row])


def without_formula(text: str) -> str:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front."""
    return f"'{text}" if FORMULA.match(text) else text


@dataclass(frozen=True, slots=True)
class CsvSource:
    """The rows of a file: read in pages, each made into cells; `counted` are all of them, to count them."""

    columns: Sequence[str]
    page_of: PageOf[Any]
    row_of: Callable[[Any], Sequence[Any]]
    counted: QuerySet[Any]


SourceOf = Callable[[str, str, QueryDict], tuple[ListFilters, CsvSource]]
"""Gets an account, an environment and the filters of an address. Returns the form of the filters, and the rows."""


def csv_answer(
    request: HttpRequest,
    portal: PortalContext,
    list_name: str,
    form: ListFilters,
    source: CsvSource,
    *,
    back: str,
    account_wide: bool = False,
) -> HttpResponseBase:
    """The file; or the way back to the list, which says that a filter cannot be read; or where a worker writes what is longer."""
    if not form.is_valid():
        return redirect(f"{back}?{request.GET.urlencode()}")
    if source.counted.order_by().values("pk")[: MOST + 1].count() > MOST:
        asked = urlencode({"list": list_name, "query": request.GET.urlencode()})
        return redirect(f"{portal.reverse('exports')}?{asked}")
    rows = map(source.row_of, all_rows(source.page_of))
    return csv_file(
        csv_lines(source.columns, rows), file_name(list_name, "" if account_wide else portal.environment)
    )


def csv_file(content: Iterable[str | bytes], name: str) -> StreamingHttpResponse:
    """Stream `content` as the file `name`.csv."""
    response = StreamingHttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def file_name(list_name: str, environment: str) -> str:
    """Without its ending."""
    return "-".join(filter(None, (list_name, environment, clocks.now_here().date().isoformat())))


def frozen(form: ListFilters, query: str) -> str:
    """The filters of `query` with a period that does not move: it ends now, or earlier."""
    given = {name: value for name, value in parse_qsl(query) if name not in ("since", "until", "last")}
    period = {"since": form.begins, "until": min(form.ends or clocks.now_here(), clocks.now_here())}
    return urlencode(given | {name: rfc3339(instant) for name, instant in period.items() if instant})
