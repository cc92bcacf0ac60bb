"""Keyset pages for people, newest first by (created_at, id): found by comparison, so page 2,000 costs what page 1 does.

A cursor tells nothing and opens nothing, so it is not signed; one that is none of ours shows the first page.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Model, Q

from apps.common.ids import is_well_formed

Row = TypeVar("Row", bound=Model)
EPOCH = datetime.fromtimestamp(0, UTC)


def below(cursor: str | None) -> Q:
    """The rows that come after the cursor's place; all of them without one."""
    place = read_cursor(cursor)
    if place is None:
        return Q()
    at, row_id = place
    # The second half is implied by the first, and is what an index can begin at.
    return (Q(created_at__lt=at) | Q(created_at=at, id__lt=row_id)) & Q(created_at__lte=at)


def split(found: Sequence[Row], limit: int) -> tuple[Sequence[Row], str | None]:
    """Of `limit + 1` rows asked for: those to show, and the cursor of the next page, None on the last."""
    shown = found[:limit]
    return shown, cursor_of(shown[-1]) if len(found) > limit else None


def cursor_of(row: Any) -> str:
    return f"{(row.created_at - EPOCH) // timedelta(microseconds=1)}-{row.pk}"


def read_cursor(cursor: str | None) -> tuple[datetime, str] | None:
    """The place that a cursor names: an instant in microseconds since 1970, and a row's id."""
    instant, _, row_id = (cursor or "").partition("-")
    if not (instant.isascii() and instant.isdigit()) or len(instant) > 17 or not is_well_formed(row_id):
        return None
    return EPOCH + timedelta(microseconds=int(instant)), row_id
