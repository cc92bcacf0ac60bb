"""Threads that use a class at the same time which nobody has used before: `python -m tests.suppliers.first_uses`.

msgspec may end the process here, so the test runs it as a program.
"""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from apps.suppliers.values import Value, from_json, from_text

THREADS, PARTS = 4, 20
DATA = {f"part{n}": {"count": 1} for n in range(PARTS)}
TEXT = "{" + ", ".join(f'"part{n}": {{"count": 1}}' for n in range(PARTS)) + "}"


def new_class(number: int) -> Any:
    """A class whose parts are classes."""
    parts = {
        f"part{n}": type(f"Part{n}", (Value,), {"__annotations__": {"count": int}}) for n in range(PARTS)
    }
    return type(f"Whole{number}", (Value,), {"__annotations__": parts})


if __name__ == "__main__":
    sys.setswitchinterval(1e-6)  # so that one thread meets what another has half done
    for number in range(80):
        kind, together = new_class(number), threading.Barrier(THREADS)

        def read(_: int, kind: Any = kind, together: threading.Barrier = together) -> object:
            together.wait()
            return from_text(kind, TEXT) if number % 2 else from_json(kind, DATA)  # noqa: B023

        with ThreadPoolExecutor(THREADS) as pool:
            assert all(pool.map(read, range(THREADS)))
