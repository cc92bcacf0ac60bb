"""Faults in the SQL and Lua that the code carries as text.

A condition goes by becoming true for every row rather than by being cut out: its parameters stay, so that the statement still
runs and a test has to notice the rows, not an error of the driver.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

SQL = re.compile(
    r"\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE|ORDER BY|FOR UPDATE|EXISTS|RETURNING|COALESCE)\b"
)
LUA = re.compile(r"\bredis\.call\(")

# A clause ends before one of these words, at a bracket that it did not open, or with the text.
_LATER = r"RETURNING|LIMIT|OFFSET|UNION|FOR (NO KEY )?UPDATE|FOR SHARE"
_ENDS_ORDER = re.compile(rf"\s*(\b({_LATER})\b|;)")
_ENDS_CONDITION = re.compile(
    rf"\s*(\b(AND|OR|ORDER BY|GROUP BY|HAVING|ON CONFLICT|WHERE|THEN|ELSE|END|WINDOW|JOIN|LEFT JOIN|FROM|{_LATER})\b|,|;)"
)
_BEGINS_CONDITION = re.compile(r"\b(AND|WHERE|ON(?! CONFLICT)|WHEN|FILTER \(WHERE)\s+")
_BETWEEN = re.compile(r"\bBETWEEN\b[^A-Z]*$")

# What is exchanged for what, by regular expression.
_SQL_EXCHANGES = [
    (r"(?<![<>=!:-])<=(?!>)", "<"),
    (r"(?<![<>=!:-])<(?![=>@-])", "<="),
    (r"(?<![<>=!:-])>=", ">"),
    (r"(?<![<>=!:-])>(?![=>])", ">="),
    (r"\bIS NOT NULL\b", "IS NULL"),
    (r"\bIS NULL\b", "IS NOT NULL"),
    (r"\bNOT EXISTS\b", "EXISTS"),
    (r"\bLEAST\b", "GREATEST"),
    (r"\bGREATEST\b", "LEAST"),
    (r"\bDESC\b", "ASC"),
    (r"\bOR\b", "AND"),
    (r" \+ (?=\w|%)", " - "),
    (r"(?<!-) - (?=\w|%)", " + "),
    (r"\s+SKIP LOCKED\b", ""),
    (r"\bFOR (NO KEY )?UPDATE( OF \w+)?( SKIP LOCKED| NOWAIT)?", ""),
    (r"\bDISTINCT\b(?! ON)", ""),
]
_LUA_EXCHANGES = [
    (r">=", ">"),
    (r"(?<![<>=~])>(?!=)", ">="),
    (r"<=", "<"),
    (r"(?<![<>=~])<(?!=)", "<="),
    (r"==", "~="),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"redis\.call\('EXPIRE'", "tostring('EXPIRE'"),
    (r"redis\.call\('PEXPIRE'", "tostring('PEXPIRE'"),
    (r"redis\.call\('DEL'", "tostring('DEL'"),
]


@dataclass(frozen=True)
class Edit:
    """A text with one fault: from where to where it was changed, and into what."""

    start: int
    end: int
    new: str


def edits(text: str) -> Iterator[Edit]:
    """Every fault that can be planted in `text`, in order."""
    if LUA.search(text):
        yield from sorted(_exchanges(text, _LUA_EXCHANGES), key=lambda edit: edit.start)
    elif SQL.search(text):
        yield from sorted(
            [*_exchanges(text, _SQL_EXCHANGES), *_lost_conditions(text), *_lost_orders(text)],
            key=lambda edit: edit.start,
        )


def _exchanges(text: str, table: list[tuple[str, str]]) -> Iterator[Edit]:
    for pattern, new in table:
        for hit in re.finditer(pattern, text):
            yield Edit(hit.start(), hit.end(), new)


def _lost_conditions(text: str) -> Iterator[Edit]:
    for hit in _BEGINS_CONDITION.finditer(text):
        if hit[1] == "AND" and _BETWEEN.search(text[: hit.start()]):
            continue
        end = _end(text, hit.end(), _ENDS_CONDITION)
        condition = text[hit.end() : end].strip()
        if condition and condition.upper() != "TRUE":
            yield Edit(hit.end(), end, f"(({condition}) OR TRUE)")


def _lost_orders(text: str) -> Iterator[Edit]:
    for hit in re.finditer(r"\bORDER BY\s+", text):
        yield Edit(hit.start(), _end(text, hit.end(), _ENDS_ORDER), "")


def _end(text: str, start: int, ends: re.Pattern[str]) -> int:
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth < 0:
                return at
        elif depth == 0 and (at == start or not text[at - 1].isalnum()) and ends.match(text, at):
            return at
    return len(text)
