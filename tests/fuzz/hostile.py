"""What a body or a query should not hold, made for each field from its own declaration."""

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.operations import QueryParameter
from apps.gateway.parsers import MAX_DEPTH, MAX_ITEMS, MAX_NAMES
from apps.gateway.serializers import Body

Field = serializers.Field[Any, Any, Any, Any]
Place = tuple[str | int, ...]

# fmt: off
NOT_OBJECTS = ("x", 1, True, [], [{}], {"noSuchProperty": 1}, {"x" * 50_000: 1})
NOT_LISTS = ("x", "", 1, True, {}, {"0": 1}, [None], [[]], [[[1]]], [{"x": 1}], [1] * 1_000)
NOT_TEXTS = (1, 1.5, True, False, [], {}, ["x"], {"x": 1}, 10**63)
NOT_NUMBERS = ("5", "", "1e2", "٣", "1_0", True, False, [], {}, [1], "NaN", "0x10", 10**60, -(10**60))
NOT_FLAGS = ("true", "false", "", 1, 0, 1.0, [], {})
NOT_EMAILS = (
    "", "x", "@", "a@b", "a b@c.de", "a@" + "b." * 200 + "de", "x" * 300 + "@c.de", "a@c.de\n\nx", "<a@c.de>", "a@c..de",
)
NOT_DAYS = (
    "2027-02-30", "2027-2-3", "20270203", "2027-02-03T00:00:00", "2027-02-03Z", "0000-01-01", "2027-13-01", "2027-W01-1", "",
    "٢٠٢٧-٠٢-٠٣", " 2027-02-03", "2027-02-03\n", "1899-12-31", "9999-12-31", "0001-01-01", "-2027-02-03", "today",
)
NOT_MOMENTS = (
    "2027-02-03T24:00:00", "2027-02-03T14:30:61", "2027-02-03T14:60", "2027-02-03T14", "2027-02-03 14:30:00", "2027-02-03", "",
    "2027-02-03T14:30:00Z", "2027-02-03T14:30:00+01:00", "2027-02-03T14:30:00.5", "2027-02-30T14:30:00", "1899-12-31T00:00",
)
UNPRINTABLE = ("a\nb", "a\x7fb", "a\u200eb", "a\u2028b")
ODD_TEXTS = ("é" * 255, "🛫\u202e\u200b\ufeff", "'; DROP TABLE x; --", "../../etc/passwd\\", "\x1b[31m\t\u2028", "İﬀ")
NOT_JSON = (
    b"[]", b"[{}]", b"null", b"1", b'"x"', b"true", b"{", b"}", b"{}{}", b'{"a":1,}', b"{a:1}", b'{"a"}', b"<x/>", b"\xff",
    b"\xef\xbb\xbf{}", '{"a":"é"}'.encode("latin-1"), "{}".encode("utf-16"), b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc0\x80"}',
    b'{"a":1,"a":1}', b'{"a":{"b":1,"b":1}}', b"[" * 200_000, b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1),
)
NOT_VALUES = ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "01", "+1", ".5", "1.", "0x1", "1_0", "9" * 65, "'x'", "None")
NOT_CHARACTERS = (r"\u0000", r"\ud800", r"\udfff\ud800", r"\x", r"\u12", "\n", "\x00", "\x01")
IN_QUERIES = (
    "0", "-1", "+1", "1.0", "1e1", "٣", "%201", "1%20", "0x1", "1_0", "", "NaN", "9" * 400, "1,2", "null", "1%00", "%00", "a%00b",
    "%ff", "%C0%80", "%ED%A0%80", "%EF%BF%BD", "x" * 4_000, "%0a", "%F0%9F%9B%AB", "'--", "%", "%zz", "[]", "{}",
)
# fmt: on


@dataclass(frozen=True)
class Case:
    """`path`: the field that the refusal names, empty where it is the body as a whole. `wrong`: to be refused with 400."""

    path: str
    body: bytes
    wrong: bool = True


def bodies(body: type[Any], valid: dict[str, Any]) -> Iterator[Case]:
    """Every field of a body wrong in every way, one at a time, over a valid body."""
    for place, field in walk(body(), ()):
        for value in wrong(field):
            yield Case(".".join(map(str, place)), json.dumps(put(valid, place, value)).encode())
        if isinstance(field, fields.Text):
            for text in ODD_TEXTS:
                yield Case("", json.dumps(put(valid, place, text)).encode(), wrong=False)
    yield from (Case("", raw) for raw in raw_bodies(next(iter(body().fields), "x")))


def walk(field: Field, place: Place) -> Iterator[tuple[Place, Field]]:
    """Every field of a body and where it stands; of a list the first item."""
    if place:
        yield place, field
    if isinstance(field, serializers.Serializer):
        for name, below in field.fields.items():
            yield from walk(below, (*place, name))
    elif isinstance(field, fields.Many):
        yield from walk(field.child, (*place, 0))


def put(valid: dict[str, Any], place: Place, value: object) -> dict[str, Any]:
    """`valid` with `value` in that place; what leads there is made where it is not."""
    found = copy.deepcopy(valid)
    here: Any = found
    for step, following in zip(place, [*place[1:], None], strict=True):
        made = value if following is None else [] if isinstance(following, int) else {}
        if isinstance(here, list) and len(here) <= int(step):
            here.append(made)
        elif following is None or (isinstance(here, dict) and step not in here):
            here[step] = made
        here = here[step]
    return found


def wrong(field: Field) -> Iterator[object]:  # noqa: C901 - one case a kind of field
    """Values that the field must refuse."""
    if not field.allow_null:
        yield None
    match field:
        case Body():
            yield from NOT_OBJECTS
        case fields.Many():
            yield from (*NOT_LISTS, ["x"] * (field.max_length + 1))
        case fields.Email():
            yield from (*NOT_TEXTS, *NOT_EMAILS)
        case fields.Text():
            yield from (*NOT_TEXTS, "x" * (int(field.max_length or 0) + 1))
            yield from ("", " ", "\t", "\u3000") if not field.allow_blank else ()
            yield from UNPRINTABLE if field.printable else ()
        case fields.Whole():
            yield from (
                *NOT_NUMBERS,
                5.0,
                1e2,
                -0.0,
                int(field.min_value or 0) - 1,
                int(field.max_value or 0) + 1,
            )
        case fields.Number():
            yield from (*NOT_NUMBERS, 1e308, float(field.min_value or 0) - 1, float(field.max_value or 0) + 1)
        case fields.Flag():
            yield from NOT_FLAGS
        case fields.Day():
            yield from (*NOT_DAYS, *NOT_TEXTS)
        case fields.LocalDateTime():
            yield from (*NOT_MOMENTS, *NOT_TEXTS)
        case fields.Choice():
            first = str(next(iter(field.choices)))
            yield from (*NOT_TEXTS, "", "nonsense", f"{first} ", f"x{first}")


def raw_bodies(name: str) -> Iterator[bytes]:
    """Bytes that are no body, whatever the operation."""
    yield from NOT_JSON
    yield from (f'{{"{name}":{value}}}'.encode() for value in NOT_VALUES)
    for text in NOT_CHARACTERS:
        yield from (f'{{"{name}":"{text}"}}'.encode(), f'{{"{text}":1}}'.encode())
    yield f'{{"{name}":{"[" * MAX_DEPTH}{"]" * MAX_DEPTH}}}'.encode()
    yield f'{{"{name}":[{",".join(["1"] * (MAX_ITEMS + 1))}]}}'.encode()
    yield f'{{"{name}":[{",".join(["{}"] * 60_000)}]}}'.encode()
    yield ("{" + ",".join(f'"n{number}":1' for number in range(MAX_NAMES + 1)) + "}").encode()
    yield ("{" + ",".join(f'"{"n" * 100}{number}":1' for number in range(MAX_NAMES)) + "}").encode()
    yield f'{{"{"x" * 200_000}":1}}'.encode()
    yield f'{{"{name}":"{"x" * 200_000}","{"é" * 30_000}":1}}'.encode()


def queries(parameter: QueryParameter) -> Iterator[tuple[str, bool]]:
    """Queries with one parameter wrong, or odd; with each whether it must be refused."""
    name, schema = parameter.name, parameter.schema
    yield f"{name}=1&{name}=1", True
    closed = (
        "enum" in schema or schema.get("type") == "integer" or name in {"cursor", "country", "from", "to"}
    )
    yield from ((f"{name}={text}", closed) for text in IN_QUERIES)
    if "maximum" in schema:
        yield f"{name}={int(str(schema['maximum'])) + 1}", True
