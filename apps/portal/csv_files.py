"""The rows of a list as a CSV file for a spreadsheet, sent row by row."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from redis import Redis
from redis.exceptions import LockError
from redis.lock import Lock

from apps.common import clock, redis
from apps.common.keyset import Page
from apps.portal.base import PortalView
from apps.portal.lists import ListFilters

PAGE_LENGTH = 1_000
MOST_ROWS = 200_000
TOO_MANY = f"More than {MOST_ROWS:,} rows match. Narrow the list, for example by From and To."
LOCK_SECONDS = 60
"""Far more than a page takes. The lock is extended with each page, so it outlives only a process that died."""
FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
"""How a text begins that a spreadsheet may run: East Asian editions read the full-width signs as the plain ones."""
BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel reads a file in the code page of the machine."""


@dataclass(frozen=True, slots=True)
class CsvSource:
    """The rows of a file. `page_of` gets a cursor and a length; `counted` are all of them, to count them."""

    columns: Sequence[str]
    page_of: Callable[[str | None, int], Page[Any]]
    row_of: Callable[[Any], Sequence[Any]]
    counted: QuerySet[Any]


class CsvFileView(PortalView):
    """A list's rows by the filters of its page. One file at a time per account: another request gets 429."""

    list_name: ClassVar[str]
    page_name: ClassVar[str]

    def source(self, given: QueryDict) -> tuple[ListFilters, CsvSource]:
        raise NotImplementedError

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Redirects to the list if the filters are invalid, or if too many rows match."""
        form, source = self.source(request.GET)
        too_many = (
            form.is_valid() and source.counted.order_by().values("pk")[: MOST_ROWS + 1].count() > MOST_ROWS
        )
        if too_many:
            messages.error(request, TOO_MANY)
        if too_many or not form.is_valid():
            return redirect(f"{self.list_address()}?{request.GET.urlencode()}")
        lock = DownloadLock(self.portal.account.pk)
        if not lock.acquire():
            busy = {"back": f"{self.list_address()}?{request.GET.urlencode()}"}
            response = self.render("portal/file_busy.html", busy, status=429)
            response["Retry-After"] = "10"
            return response
        environment = "" if self.account_wide else self.portal.environment
        return csv_file(LockedLines(source, lock), file_name(self.list_name, environment))

    def list_address(self) -> str:
        return (
            reverse(f"portal:{self.page_name}") if self.account_wide else self.portal.reverse(self.page_name)
        )


class DownloadLock:
    """One file at a time per account. Without Redis files are sent without it."""

    def __init__(self, account_id: str) -> None:
        self._name = f"portal:csv:{account_id}"
        self._lock: Lock | None = None

    def acquire(self) -> bool:
        def attempt(client: Redis) -> bool:
            self._lock = client.lock(self._name, LOCK_SECONDS, thread_local=False)
            return bool(self._lock.acquire(blocking=False))

        try:
            return redis.run(attempt)
        except redis.RedisUnavailable:
            return True

    def extend(self) -> None:
        self._attempt(Lock.reacquire)

    def release(self) -> None:
        self._attempt(Lock.release)

    def _attempt(self, step: Callable[[Lock], object]) -> None:
        """It may have expired under a slow client, and Redis may be away: the file continues."""
        lock = self._lock

        def attempt(_client: Redis) -> None:
            with suppress(LockError):
                if lock is not None:
                    step(lock)

        with suppress(redis.RedisUnavailable):
            redis.run(attempt)


class LockedLines:
    """The file's lines. The response closes it at the end, and when the client is gone."""

    def __init__(self, source: CsvSource, lock: DownloadLock) -> None:
        self._lines = csv_lines(source.columns, map(source.row_of, all_rows(source, lock.extend)))
        self._lock = lock

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def close(self) -> None:
        self._lock.release()


def all_rows(source: CsvSource, after_page: Callable[[], None]) -> Iterator[Any]:
    """All rows, one statement a page: a cursor of the database would need a transaction for the whole file."""
    cursor: str | None = ""
    while cursor is not None:
        page = source.page_of(cursor, PAGE_LENGTH)
        cursor = page.older
        yield from page.rows
        after_page()


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Texts that a spreadsheet would run as a formula are escaped, numbers are not."""
    writer = csv.writer(Echo())
    yield BYTE_ORDER_MARK + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([without_formula(cell) if isinstance(cell, str) else cell for cell in row])


class Echo:
    def write(self, text: str) -> str:
        return text


def without_formula(text: str) -> str:
    return f"'{text}" if FORMULA.match(text) else text


def csv_file(content: Iterable[str], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(content, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def file_name(list_name: str, environment: str) -> str:
    return "-".join(filter(None, (list_name, environment, clock.now_here().date().isoformat())))
