"""What takes long by its nature, and is left to `make test-long`: `long_list.py` names it.

`--part` chooses. Without it, a run of the whole suite takes "short", and one that names paths takes "all" of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import cast
from zlib import crc32

import pytest

from tests.support.long_list import EACH_VALUE, LONG, Long

PARTS = ("short", "long", "all")
LINES = {line.test: line for line in LONG}


def long_ones(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Those that `make test-long` runs. Each process of a run finds the same."""
    by_line: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        test = item.nodeid.partition("[")[0]
        for name in (test, test.partition("::")[0]):
            if name in LINES:
                by_line[name].append(item)
    return {item for name, found in by_line.items() for item in {*found} - {*_staying(LINES[name], found)}}


def _staying(line: Long, items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """In an order of chance, but always the same, so that what stays is spread over all parameters."""
    shuffled = sorted(items, key=lambda item: crc32(item.nodeid.encode()))
    if line.stays != EACH_VALUE:
        yield from shuffled[: line.stays or 0]
        return
    seen: set[tuple[str, str]] = set()
    for item in shuffled:
        values = {(name, str(value)) for name, value in cast("pytest.Function", item).callspec.params.items()}
        if not values <= seen:
            seen |= values
            yield item
