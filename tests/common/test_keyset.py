from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.db.models import Q

from apps.common.ids import new_id
from apps.common.keyset import below, cursor_before, cursor_of, read_cursor, split

AT = datetime(2026, 11, 21, 10, 0, 0, 123_457, tzinfo=UTC)


def test_a_cursor_names_its_row_to_the_microsecond():
    row = SimpleNamespace(created_at=AT, pk=new_id("led"))
    assert read_cursor(cursor_of(row)) == (AT, row.pk)


@pytest.mark.parametrize(
    "cursor",
    [None, "", "-", "1-", "x-led_1", "1-'", f"{'9' * 18}-led_01jd3m8q6w9z5n2b7rxk4t0vce", "٣-led_1", "1"],
)
def test_what_is_no_cursor_shows_the_first_page(cursor):
    assert (read_cursor(cursor), below(cursor)) == (None, Q())


def test_the_row_too_many_says_that_there_is_more():
    rows = [SimpleNamespace(created_at=AT, pk=new_id("led")) for _ in range(3)]
    assert split(rows, 2) == (rows[:2], cursor_of(rows[1]))
    assert split(rows, 3) == (rows, None)


def test_a_page_can_begin_with_a_row():
    row_id = new_id("led")
    assert read_cursor(cursor_before(AT, row_id)) == (AT + timedelta(microseconds=1), row_id)
