"""What is written down of a booking for pgbench."""

import re

import pytest
from django.db import connection

from tests.bench.recording import literal

pytestmark = pytest.mark.django_db
VARIABLE = re.compile(r":[A-Za-z_]")


@pytest.mark.parametrize(
    "value", ["sealed:ford_01:YdDW", "plain", "it's:so", '{"a":"b","c":null}', "18:03:50", ":", 7, None]
)
def test_a_value_stays_what_it_is_and_names_no_variable(value: object) -> None:
    said = literal(value)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {said}")
        [found] = cursor.fetchone()
    assert str(found).replace(" ", "") == str(value)
    assert not VARIABLE.search(said)
