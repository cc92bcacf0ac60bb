"""Threads that use classes at the same time which nobody has used before: `python -m tests.suppliers.first_uses WAY`."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import make_dataclass
from typing import Any

from apps.suppliers.values import Value, from_json, from_text

TIMES = 40
THREADS = 4
PARTS = 20
SWITCH_SECONDS = 1e-6
"""Threads take turns as often as they can, so that one meets what another has half done."""


def values(number: int) -> Any:
    """A class whose parts are classes."""
    parts = {
        f"part{n}": type(f"Part{n}", (Value,), {"__annotations__": {"count": int}}) for n in range(PARTS)
    }
    return type(f"Whole{number}", (Value,), {"__annotations__": parts})


def dataclasses(number: int) -> Any:
    parts = [(f"part{n}", make_dataclass(f"Part{n}", [("count", int)])) for n in range(PARTS)]
    return make_dataclass(f"Whole{number}", parts)


def one_of(kind: Any) -> Any:
    return kind(**{name: part(1) for name, part in kind.__annotations__.items()})


DATA = {f"part{n}": {"count": 1} for n in range(PARTS)}
TEXT = "{" + ", ".join(f'"part{n}": {{"count": 1}}' for n in range(PARTS)) + "}"
WAYS: dict[str, tuple[Callable[[int], Any], Callable[[Any], object]]] = {
    "from_json": (dataclasses, lambda kind: from_json(kind, DATA)),
    "from_text": (values, lambda kind: from_text(kind, TEXT)),
}


def at_once(use: Callable[[Any], object], kind: Any) -> None:
    together = threading.Barrier(THREADS)

    def run(_: int) -> object:
        together.wait()
        return use(kind)

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(run, range(THREADS)))


def main(way: str) -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    make, use = WAYS[way]
    for number in range(TIMES):
        at_once(use, make(number))


if __name__ == "__main__":
    main(sys.argv[1])
