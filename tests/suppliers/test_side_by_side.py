"""Calls at the same time: in order, within their caller's bound, and with nothing left behind."""

import time

import pytest
from django.db import connection

from apps.suppliers.errors import Rejected, Unavailable
from apps.suppliers.http import all_within, at_most
from apps.suppliers.side_by_side import AT_ONCE, side_by_side


def test_results_and_errors_come_in_the_order_of_the_calls() -> None:
    def call(number: int) -> int:
        time.sleep(0.01 * (number % 3))
        if number % 4 == 1:
            raise Rejected(str(number))
        return number

    found = side_by_side([lambda number=number: call(number) for number in range(20)])
    assert [str(one) for one in found] == [str(number) for number in range(20)]
    assert [number for number, one in enumerate(found) if isinstance(one, Rejected)] == [1, 5, 9, 13, 17]


def test_a_fault_of_our_own_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side([lambda: 1 / 0])


def test_the_callers_bound_holds_for_each_of_them() -> None:
    with all_within(5):
        assert all(0 < left <= 5 for left in side_by_side([lambda: at_most(60)] * 20))  # type: ignore[operator]
    with all_within(0):
        assert {type(one) for one in side_by_side([lambda: at_most(60)] * 3)} == {Unavailable}
    assert side_by_side([lambda: at_most(60)]) == [60]


@pytest.mark.django_db(transaction=True)
def test_no_thread_keeps_a_connection_to_the_database() -> None:
    def backend() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return int(cursor.fetchone()[0])

    used = set(side_by_side([backend] * AT_ONCE * 2))
    assert backend() not in used
    deadline = time.monotonic() + 10
    while standing(used) and time.monotonic() < deadline:
        time.sleep(0.02)  # PostgreSQL ends them on its own time
    assert standing(used) == 0


def standing(backends: set[object]) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)", [list(backends)])
        return int(cursor.fetchone()[0])
