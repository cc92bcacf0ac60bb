"""Keyset pages, newest first by (created_at, id): found by comparison, so page 2,000 costs what page 1 does.

The pages of the portal use this cursor. It discloses nothing and grants nothing, so it is not signed, and an invalid one
shows the first page. The API signs its own (`gateway.pagination`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from apps.common.ids import is_well_formed

Row = TypeVar("Row", bound=Model)
EPOCH = datetime.fromtimestamp(0, UTC)
LONGEST_NUMBER = 18  # digits of an id that is a number: no longer one fits a bigint for certain


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """The newest first. `older` is the cursor of the next page; None on the last."""

    rows: Sequence[Row]
    older: str | None

    @property
    def newest(self) -> str:
        """The cursor above which newer rows are."""
        return cursor_of(self.rows[0]) if self.rows else "0-0"


def page_of(rows: QuerySet[Row], cursor: str | None, limit: int, *, numbered: bool = False) -> Page[Row]:
    """Up to `limit` of `rows` below the cursor. One statement.

    `rows` must be ordered by (-created_at, -id). `numbered`: their ids are numbers, not words of ours.
    """
    below_cursor = rows.filter(below(cursor, numbered=numbered))
    return Page(*split(list(below_cursor[: limit + 1]), limit))


def below(cursor: str | None, *, numbered: bool = False) -> Q:
    """The rows that come after the cursor's place; all of them without one."""
    place = read_cursor(cursor, numbered=numbered)
    return after(*place) if place is not None else Q()


def above(cursor: str | None, *, numbered: bool = False) -> Q:
    """The rows that are newer than the cursor's; none without a cursor, and none for what is no cursor."""
    place = read_cursor(cursor, numbered=numbered)
    if place is None:
        return Q(pk__in=[])
    created_at, row_id = place
    return Q(created_at__gte=created_at) & ~Q(created_at=created_at, id__lte=row_id)


def after(created_at: datetime, row_id: object) -> Q:
    """The rows after this place. One comparison that an index on (…, created_at DESC, id DESC) can follow: an OR of two would
    scan (measured: 400 times as slow).
    """
    return Q(created_at__lte=created_at) & ~Q(created_at=created_at, id__gte=row_id)


def split(found: Sequence[Row], limit: int) -> tuple[Sequence[Row], str | None]:
    """Of `limit + 1` rows asked for: those to show, and the cursor of the next page, None on the last."""
    shown = found[:limit]
    return shown, cursor_of(shown[-1]) if len(found) > limit else None


def cursor_of(row: Any) -> str:
    return f"{(row.created_at - EPOCH) // timedelta(microseconds=1)}-{row.pk}"


def cursor_before(created_at: datetime, row_id: str) -> str:
    instant = (created_at - EPOCH) // timedelta(microseconds=1)
    return f"{instant + 1}-{row_id}"


def read_cursor(cursor: str | None, *, numbered: bool = False) -> tuple[datetime, str] | None:
    """The place that a cursor names: an instant in microseconds since 1970, and a row's id. None for what is no cursor."""
    instant, _, row_id = (cursor or "").partition("-")
    is_id: Callable[[str], bool] = _is_number if numbered else is_well_formed
    if not _is_number(instant) or len(instant) > 17 or not is_id(row_id):
        return None
    return EPOCH + timedelta(microseconds=int(instant)), row_id


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
