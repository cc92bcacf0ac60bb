"""Counters and timings. While they are off, adding to one costs a look at `is_on`, and the library is not even loaded.

Labels are words of ours (operations, error types, suppliers): never what a caller sends, so that there are few.
"""

import os
import socket
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

PREFIX = "travel_partner_"
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0)

is_on = False
_process = ""
_making = threading.Lock()


def begin(directory: Path) -> None:
    """Count from now on, into files of this process in `directory`. Called once, before anything is counted."""
    global is_on
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(directory)
    values: Any = import_module("prometheus_client.values")
    values.ValueClass = values.MultiProcessValue(process_identifier=_this_process)
    is_on = True


def _this_process() -> str:
    """Its name among all that share the directory: containers count their processes each from 1."""
    return _process


def _name_process() -> None:
    global _process, _making
    _process = f"{socket.gethostname().replace('_', '-')}-{os.getpid()}"
    _making = threading.Lock()  # somebody else may have held it in the moment of the fork


_name_process()
os.register_at_fork(after_in_child=_name_process)


class _Instrument:
    kind: str
    """What prometheus_client calls it. That is imported where something is counted for the first time."""
    parts: Sequence[str]
    """What Prometheus adds to the name."""
    options: Mapping[str, Any] = {}

    def __init__(self, name: str, text: str, labels: Sequence[str] = ()) -> None:
        self._declared: tuple[str, str, Sequence[str]] = PREFIX + name, text, labels
        _known.append(self)
        self._whole: Any = None
        self._of_labels: dict[tuple[str, ...], Any] = {}

    @property
    def names(self) -> list[str]:
        return [self._declared[0] + part for part in self.parts]

    def _of(self, values: tuple[str, ...]) -> Any:
        found = self._of_labels.get(values)
        if found is None:
            with _making:
                self._whole = self._whole or self._made()
                found = self._of_labels[values] = self._whole.labels(*values) if values else self._whole
        return found

    def _made(self) -> Any:
        make = getattr(import_module("prometheus_client"), self.kind)
        return make(*self._declared, registry=None, **self.options)


class Counter(_Instrument):
    """A number that only grows."""

    kind, parts = "Counter", ("_total",)

    def add(self, *labels: str, count: int = 1) -> None:
        if is_on:
            self._of(labels).inc(count)


class Timing(_Instrument):
    """How long something took: how many took at most so many seconds, for each of SECONDS."""

    kind, parts, options = "Histogram", ("_bucket", "_count", "_sum"), {"buckets": SECONDS}

    def observe(self, seconds: float, *labels: str) -> None:
        if is_on:
            self._of(labels).observe(seconds)


_known: list[_Instrument] = []


def known_names() -> list[str]:
    """Of all counters and timings, as Prometheus spells them."""
    return [name for instrument in _known for name in instrument.names]
