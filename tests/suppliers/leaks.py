"""Looks for what a run must not have written: credentials or travellers anywhere. The booking itself has them sealed.

    caplog.set_level(logging.DEBUG)
    ...  # sell, fail, be refused; keep every error answer
    assert leaks(
        credentials=["duffel_live_…"],
        travellers=["Quackenbush", "quackenbush@example.com"],
        logs=caplog.text,
        answers=[reply.content for reply in refused],
    ) == []

Take names that occur nowhere else by chance. A word counts in any case, and as URLs and JSON would write it.
"""

import json
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

from django.db import connection

BOOKING_ITSELF = frozenset({"bookings_booking", "gateway_idempotencyrecord"})
"""Where an eSIM's activation code belongs: the order, and the answer to the partner that told of it, kept a day for replays."""


def leaks(
    *,
    credentials: Iterable[str],
    travellers: Iterable[str],
    activation: Iterable[str] = (),
    logs: str = "",
    answers: Iterable[bytes | str] = (),
) -> list[str]:
    """Where each word was found, `table: word` for rows; [] is what one hopes for."""
    told = [answer.decode() if isinstance(answer, bytes) else answer for answer in answers]
    found: list[str] = []
    activation = list(activation)
    for word in (*credentials, *travellers, *activation):
        own = BOOKING_ITSELF if word in activation else frozenset[str]()
        found += [f"logs: {word}"] * holds(logs, word)
        found += [f"answer {place}: {word}" for place, text in enumerate(told) if holds(text, word)]
        found += [f"{table}: {word}" for table in tables_holding(word) if table not in own]
    return found


def holds(text: str, word: str) -> bool:
    lowered = text.casefold()
    return any(form in lowered for form in forms(word))


def forms(word: str) -> set[str]:
    """As it is, as a URL has it, as JSON has it."""
    written = {word, quote(word, safe=""), quote_plus(word), json.dumps(word)[1:-1]}
    return {form.casefold() for form in written}


def tables_holding(word: str) -> Iterator[str]:
    """Every table with a row in which the word can be read."""
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            name = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT EXISTS (SELECT FROM {name} AS line WHERE lower(line::text) LIKE ANY(%s))",
                [[f"%{_literal(form)}%" for form in sorted(forms(word))]],
            )
            if cursor.fetchone()[0]:
                yield table


def _literal(form: str) -> str:
    """For LIKE, twice where a backslash stands: a row's text doubles it once more."""
    escaped = form.replace("\\", "\\\\\\\\")
    return escaped.replace("%", r"\%").replace("_", r"\_")
