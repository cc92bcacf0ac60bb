"""The rows of a list as a CSV file for a spreadsheet, sent row by row."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect

from apps.common import replica
from apps.portal.list_filters import ListFilters

Row = TypeVar("Row")
PageOf = Callable[[str | None], tuple[Sequence[Row], str | None]]
PAGE_LENGTH = 1_000
MOST = 50_000
"""Rows of one file. Sending more would take longer than an answer may."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")


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


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Texts that a spreadsheet would run as a formula are escaped, numbers are not."""
    writer = csv.writer(Echo())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([without_formula(cell) if isinstance(cell, str) else cell for cell in row])


def without_formula(text: str) -> str:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front."""
    return f"'{text}" if text.startswith(FORMULA) else text


def csv_answer(
    request: HttpRequest,
    name: str,
    form: ListFilters,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    counted: QuerySet[Any],
    back: str,
) -> HttpResponseBase:
    """The file; or the way back to the list, which says why: a filter cannot be read, or there are more rows than a file has.

    `counted` are the rows, to count them.
    """
    address = f"{back}?{request.GET.urlencode()}"
    if not form.is_valid():
        return redirect(address)
    if counted.order_by().values("pk")[: MOST + 1].count() > MOST:
        messages.warning(
            request, f"A file has at most {MOST:,} rows. Narrow the list, for example by From and To."
        )
        return redirect(address)
    response = StreamingHttpResponse(csv_lines(columns, rows), content_type="text/csv")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
