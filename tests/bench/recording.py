"""A booking's own SQL as a script for pgbench: `python -m tests.bench.recording 256`, in the environment of the server.

That many partners each make a search; one of them books, and the statements of its request are written down with what differs
between two bookings (ids, tokens, keys) put in afresh by pgbench and everything else as it was. The simulator's row is one of
them: it is what this process asks of PostgreSQL. Printed as JSON: {"script", "partners": [{"secret", "offerId"}]}.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from itertools import count
from typing import Any
from uuid import UUID

import django
from django.db import connection
from django.test import Client
from psycopg import ClientCursor

FIRST_RECORD, FIRST_OPERATION = 7_000_000_001, 8_000_000_001  # no other number of a booking looks like these
RETURNED = {FIRST_RECORD: ":record_id", FIRST_OPERATION: ":operation_id"}
FRESH = re.compile(
    r"(?P<kind>[a-z]{2,8})_(?P<own>[0-9a-hjkmnp-tv-z]{26,36})|(?P<reference>[HFTE])-[2-9A-HJ-NP-TV-Z]{8}|recorded-key"
)
BEFORE_A_LETTER = re.compile(r"(?<=:)(?=[A-Za-z_])")
PARTNER = """
CREATE TABLE bench_partner (number int PRIMARY KEY, account_id text, key_id text, search_id text)
"""
# A number that no other transaction of any client of any run has.
HEAD = """\
\\set i :i + 1
\\set n (:client_id + 1) * 1000000000 + :i
\\set partner random(1, :partners)
SELECT account_id, key_id, search_id FROM bench_partner WHERE number = :partner \\gset
"""
Statement = tuple[str, Any]


def main(partners: int) -> None:
    client = Client(SERVER_NAME="localhost")
    found = [partner(client, number) for number in range(1, partners + 1)]
    print(json.dumps({"script": script(recorded(client, found[0]), found[0]), "partners": found}))


def partner(client: Client, number: int) -> dict[str, str]:
    """A partner with a search of its own, known to pgbench by its number."""
    from apps.onboarding.services.onboard_partner import Terms, onboard_partner

    rates = dict.fromkeys(("SEARCH", "BOOKING", "READ"), 10**8)
    terms = Terms(name="Bench", currency="EUR", balance_cents=10**12, rates=rates, search_quota=10**8)
    made = onboard_partner(terms)
    day = (datetime.now(UTC) + timedelta(days=60)).date().isoformat()
    wanted = {"origin": "LHR", "destination": "JFK", "departureDate": day, "limit": 20}
    search = post(client, made.test_secret, "/v1/flights/searches", wanted, f"search-{number}")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bench_partner VALUES (%s, %s, %s, %s)",
            [number, made.account.id, made.test_key.id, search["id"]],
        )
    return {
        "secret": made.test_secret,
        "offerId": search["offers"][0]["offerId"],
        "account": made.account.id,
        "key": made.test_key.id,
        "search": search["id"],
    }


def order(offer_id: str) -> dict[str, object]:
    passenger = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1990-12-10", "type": "adult"}
    contact = {"email": "ada@example.com", "phone": "+351210000000"}
    return {"offerId": offer_id, "passengers": [passenger], "contact": contact}


def post(client: Client, secret: str, path: str, body: object, key: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": key}
    answer = client.post(path, json.dumps(body), content_type="application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def recorded(client: Client, by: Mapping[str, str]) -> list[Statement]:
    """The statements of one booking, with BEGIN and COMMIT where they stand."""
    statements: list[Statement] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if connection.in_atomic_block and not any(each[1] is committed for each in connection.run_on_commit):
            statements.append(("BEGIN", None))
            connection.on_commit(committed)
        statements.append((sql, params))
        return execute(sql, params, many, context)

    def committed() -> None:
        statements.append(("COMMIT", None))

    def book(key: str) -> None:
        post(client, by["secret"], "/v1/flights/orders", order(by["offerId"]), key)

    book("warmed-up")
    with connection.cursor() as cursor:
        for table, first in (
            ("gateway_idempotencyrecord", FIRST_RECORD),
            ("bookings_operation", FIRST_OPERATION),
        ):
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, first - 1])
    with connection.execute_wrapper(note):
        book("recorded-key")
    return statements


def script(statements: Sequence[Statement], by: Mapping[str, str]) -> str:
    given = {by["account"]: ":account_id", by["key"]: ":key_id", by["search"]: ":search_id"}
    values = Values(given)
    return HEAD + "\n".join(values.put_into(sql, params) for sql, params in statements) + "\n"


class Values:
    """What stands in the script for the values of the booking that was recorded."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._known: dict[object, str] = {**given, **RETURNED}
        self._numbers: Iterator[int] = count(1)

    def put_into(self, sql: str, params: Any) -> str:
        if params is None:
            return f"{sql};"
        said = (
            {name: self.said(value) for name, value in params.items()}
            if isinstance(params, Mapping)
            else None
        )
        text = " ".join((sql % (said or tuple(map(self.said, params)))).split())
        returned = {"gateway_idempotencyrecord": "record_", "bookings_operation": "operation_"}
        for table, prefix in returned.items():
            if f"INSERT INTO {table} " in text:
                return f"{text} \\gset {prefix}"
        return f"{text};"

    def said(self, value: Any) -> str:
        """As SQL: a reference to a variable of the script, or a literal."""
        if isinstance(value, Enum):
            value = value.value
        if isinstance(value, list):
            return f"ARRAY[{', '.join(map(self.said, value))}]"
        if isinstance(value, int) and int(value) in RETURNED:
            return RETURNED[int(value)]
        if isinstance(value, UUID):
            return f"{self.fresh(str(value), 'uuid')}::uuid"
        if isinstance(value, str) and (value in self._known or FRESH.fullmatch(value)):
            return self.fresh(value, "text")
        return literal(value)

    def fresh(self, value: str, kind: str) -> str:
        """The same expression wherever the same value stood."""
        if value not in self._known:
            number = f"(:n::bigint * 100 + {next(self._numbers)})"
            shape = FRESH.fullmatch(value)
            if kind == "uuid" or shape is None:
                said = f"lpad(to_hex({number}), 32, '0')"
            elif shape["own"]:
                said = f"('{shape['kind']}_' || lpad({number}::text, {len(shape['own'])}, '0'))"
            elif shape["reference"]:
                said = f"('{shape['reference']}-' || {number})"
            else:
                said = f"('key-' || {number})"
            self._known[value] = said
        return self._known[value]


def literal(value: object) -> str:
    """As psycopg writes it. A colon before a letter would be a variable of pgbench, also within quotes: JSON has a blank there,
    and other texts are put together of pieces that end with it.
    """
    if isinstance(value, str) and value[:1] in "{[" and value:
        value = json.dumps(json.loads(value), ensure_ascii=False)
    pieces = BEFORE_A_LETTER.split(value) if isinstance(value, str) else [value]
    with connection.cursor():
        mogrify = ClientCursor(connection.connection).mogrify
        said = [mogrify("%s", [piece]) for piece in pieces]
    return said[0] if len(said) == 1 else f"({' || '.join(said)})"


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
    django.setup()
    with connection.cursor() as opening:
        opening.execute(PARTNER)
    main(int(sys.argv[1]))
