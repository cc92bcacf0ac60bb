"""How suppliers' answers drift away from what was documented: fields that are unknown, are missing, or are of another type.

What is known of a supplier's answers is `known.json` in its connector's folder, learned from its stand-in (`make shapes`).
It has, for each call (`GET /bookings/*`), each field by its path (`.data.guests[].email`): the types that it has had, `read`
where the connector reads it, and `sometimes` where answers may lack it.

Compared are a sample of the live answers, and each that a connector could make nothing of. A thread of the process does it, one
answer at a time; what comes while too many wait is skipped. How often each field differed is counted, never a value.
"""

import json
import logging
import os
import queue
import random
import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error, connection, connections, transaction

from apps.common import clock
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.vendors import vendors_of

UNKNOWN, MISSING, OTHER_TYPE = "unknown", "missing", "type"
ITEMS_LOOKED_AT = 3  # of each list: the others are alike
LONGEST_PATH = 200
DEEPEST = 20
READ, SOMETIMES = "read", "sometimes"
NAME = re.compile(r"[A-Za-z0-9_$-]{1,40}")
KEY_OF_A_MAP = re.compile(r"\d+|[A-Z]{3}")  # an index or a currency: what stands under one stands under each


@dataclass(frozen=True, slots=True)
class Difference:
    """`kind` is unknown, missing or type. `is_read`: the connector reads the field."""

    path: str
    kind: str
    is_read: bool


@dataclass(frozen=True, slots=True)
class Field:
    types: frozenset[str]
    is_read: bool
    sometimes: bool

    @classmethod
    def of(cls, words: str) -> "Field":
        known = frozenset(words.split())
        return cls(known - {READ, SOMETIMES}, READ in known, SOMETIMES in known)


class Shape:
    def __init__(self, known: Mapping[str, str]) -> None:
        self.fields = {path: Field.of(words) for path, words in known.items()}
        self._parts: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for path in self.fields:
            parent, _, name = path.rpartition(".")
            if name and not path.endswith("[]"):
                self._parts[parent].append((name, path))

    def differences(self, answer: Any) -> set[Difference]:
        return set(self._differences(answer, ""))

    def _differences(self, value: Any, path: str) -> Iterator[Difference]:
        field = self.fields.get(path)
        if field is None:
            yield Difference(path[:LONGEST_PATH], UNKNOWN, is_read=False)
            return
        if type_of(value) not in field.types:
            yield Difference(path, OTHER_TYPE, field.is_read)
            return
        if isinstance(value, dict) and path.count(".") < DEEPEST:
            present = {part_of(name) for name in value}
            for name, part in self._parts[path]:
                known = self.fields[part]
                if name != "*" and name not in present and not known.sometimes:
                    yield Difference(part, MISSING, known.is_read)
            for name, part_value in value.items():
                yield from self._differences(part_value, joined(path, name))
        elif isinstance(value, list):
            for item in value[:ITEMS_LOOKED_AT]:
                yield from self._differences(item, f"{path}[]")


def joined(path: str, name: str) -> str:
    return f"{path}.{part_of(name)}"


def part_of(name: str) -> str:
    """As it stands in a path. What is no name of a field could be a value, and is not repeated."""
    if KEY_OF_A_MAP.fullmatch(name):
        return "*"
    return name if NAME.fullmatch(name) else "?"


def type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "text"
    if isinstance(value, dict):
        return "object"
    return "list" if isinstance(value, list) else "number"


@cache
def calls_of(supplier: str) -> Mapping[str, Shape]:
    """What is known of each call of a supplier; nothing of one that has no known.json."""
    path = known_file(supplier)
    if path is None or not path.exists():
        return {}
    return {call: Shape(fields) for call, fields in json.loads(path.read_text()).items()}


def known_file(supplier: str) -> Path | None:
    for product in settings.SUPPLIERS:
        if supplier in vendors_of(product):
            module = import_module(f"apps.{product}.suppliers.{supplier}")
            return Path(str(module.__file__)).parent / "known.json"
    return None


def call_named(supplier: str, method: str, path: str) -> tuple[str, Shape] | None:
    """The call that a request was, by its path without the address; None for one of which nothing is known."""
    for call, shape in calls_of(supplier).items():
        verb, _, pattern = call.partition(" ")
        if verb == method and _matches(pattern, path):
            return call, shape
    return None


def _matches(pattern: str, path: str) -> bool:
    """Part by part: `*` stands for any one, and `**` at the end for all that follow."""
    wanted, parts = pattern.split("/"), path.split("/")
    if wanted[-1] == "**":
        wanted.pop()
        if len(parts) <= len(wanted):
            return False
        parts = parts[: len(wanted)]
    return len(wanted) == len(parts) and all(
        want == part or (want == "*" and part) for want, part in zip(wanted, parts, strict=True)
    )


logger = logging.getLogger(__name__)

MOST_PATHS = 500
# One statement, so that processes do not need to agree; a new row only below the limit.
COUNT = """
INSERT INTO suppliers_supplierdrift (supplier, call, path, kind, is_read, count, first_at, last_at)
SELECT one.*, 1, %(now)s, %(now)s
FROM (VALUES (%(supplier)s::varchar, %(call)s::varchar, %(path)s::varchar, %(kind)s::varchar, %(is_read)s))
    AS one (supplier, call, path, kind, is_read)
WHERE (SELECT count(*) FROM suppliers_supplierdrift AS kept WHERE kept.supplier = one.supplier) < %(most)s
   OR EXISTS (SELECT FROM suppliers_supplierdrift AS kept
              WHERE (kept.supplier, kept.call, kept.path, kept.kind) = (one.supplier, one.call, one.path, one.kind))
ON CONFLICT (supplier, call, path, kind)
DO UPDATE SET last_at = EXCLUDED.last_at, is_read = EXCLUDED.is_read, count = suppliers_supplierdrift.count + 1
"""


def count(supplier: str, call: str, differences: Iterable[Difference]) -> None:
    """Count each of them once more. It never fails."""
    common = {"supplier": supplier, "call": call, "now": clock.now(), "most": MOST_PATHS}
    rows: list[dict[str, Any]] = [
        {**common, "path": one.path, "kind": one.kind, "is_read": one.is_read}
        for one in sorted(differences, key=lambda one: (one.path, one.kind))
    ]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(COUNT, rows)
    except Error:
        logger.exception("What differs in the answers of %s could not be counted", supplier)


MOST_WAITING = 16
PAUSE_SECONDS = 1.0
"""The least time between two answers of a process that are looked at by chance: a busy hour must not pay for it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer with a 2xx. `path` is the request's, without the address and the query."""

    supplier: str
    method: str
    path: str
    body: bytes


class _Watch(threading.local):
    """What this thread heard last, while an adapter is at work."""

    depth = 0
    last: Heard | None = None

    def clear(self) -> None:
        self.last = None


_watch = _Watch()
_waiting: "queue.Queue[Heard]" = queue.Queue(MOST_WAITING)
_lock = threading.Lock()
_looker: threading.Thread | None = None
_next_at = 0.0


def heard(supplier: str, method: str, path: str, status: int, body: bytes) -> None:
    """Called with each answer. Costs a comparison, but for one in `SUPPLIER_DRIFT_EVERY`."""
    every = settings.SUPPLIER_DRIFT_EVERY
    if not every or not 200 <= status < 300 or not body:
        _watch.last = None
        return
    answer = Heard(supplier, method, path, body)
    if _watch.depth:
        _watch.last = answer
    if random.random() * every < 1 and _has_time():
        offer(answer)


@contextmanager
def watched() -> Iterator[None]:
    """Around a call of an adapter: one that comes to nothing although the supplier has answered is compared."""
    _watch.depth += 1
    _watch.clear()
    try:
        yield
    except (OutcomeUnknown, Unavailable):
        if _watch.last is not None:
            offer(_watch.last)
        raise
    finally:
        _watch.depth -= 1
        _watch.clear()


def offer(answer: Heard) -> None:
    try:
        _waiting.put_nowait(answer)
    except queue.Full:
        return
    _start()


def look_at(answer: Heard) -> None:
    known = call_named(answer.supplier, answer.method, answer.path)
    if known is None:
        return
    call, shape = known
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return  # no JSON: that is no matter of fields, and the connector says so
    if differences := shape.differences(value):
        count(answer.supplier, call, differences)


def _has_time() -> bool:
    global _next_at
    now = time.monotonic()
    if now < _next_at:
        return False
    _next_at = now + PAUSE_SECONDS
    return True


def _start() -> None:
    global _looker
    with _lock:
        if _looker is None or not _looker.is_alive():
            _looker = threading.Thread(target=_look, name="supplier drift", daemon=True)
            _looker.start()


def _look() -> None:
    while True:
        answer = _waiting.get()
        try:
            look_at(answer)
        except Exception:
            logger.exception("an answer of %s could not be compared", answer.supplier)
        finally:
            connections.close_all()


def _forget() -> None:
    """A child of a fork has neither the thread nor, for certain, the locks in order."""
    global _waiting, _lock, _looker
    _waiting, _lock, _looker = queue.Queue(MOST_WAITING), threading.Lock(), None


os.register_at_fork(after_in_child=_forget)
