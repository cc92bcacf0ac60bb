"""Learns what a connector's stand-in answers, and what of it the connector reads: the `known.json` of its folder."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from apps.suppliers import drift
from apps.suppliers.drift import READ, SOMETIMES, joined, type_of
from apps.suppliers.http import Reply
from tests.suppliers.kit.bench import Bench

Shapes = dict[str, dict[str, str]]


class Traced(dict[str, Any]):
    """A JSON object that notes which of its fields are looked at."""

    def __init__(self, data: dict[str, Any], path: str, read: set[str]) -> None:
        super().__init__({name: traced(part, joined(path, name), read) for name, part in data.items()})
        self.path, self.read = path, read

    def _note(self, name: object) -> None:
        self.read.add(joined(self.path, str(name)))

    def __getitem__(self, name: str) -> Any:
        self._note(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._note(name)
        return super().get(name, default)

    def items(self) -> Any:
        for name in self:
            self._note(name)
        return super().items()

    def values(self) -> Any:
        return dict(self.items()).values()


def traced(value: Any, path: str, read: set[str]) -> Any:
    if isinstance(value, dict):
        return Traced(value, path, read)
    return [traced(item, f"{path}[]", read) for item in value] if isinstance(value, list) else value


@contextmanager
def reads_noted(bench: Bench) -> Iterator[dict[str, set[str]]]:
    """For the length of the block: by call, the paths that the connector reads."""
    read: defaultdict[str, set[str]] = defaultdict(set)
    last: list[str] = [""]
    parse = Reply.json
    heard = drift.heard

    def hear(supplier: str, method: str, path: str, status: int, body: bytes) -> None:
        last[0] = call_of(bench, method, path)
        heard(supplier, method, path, status, body)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(drift, "heard", hear)
        patched.setattr(Reply, "json", lambda reply: traced(parse(reply), "", read[last[0]]))
        yield read


def call_of(bench: Bench, method: str, path: str) -> str:
    """The step's pattern that a request fits, as paths are without the base address; "" for none."""
    for prefix in ["", *prefixes(bench)]:
        if step := bench.step_of(method, (prefix + path).removeprefix(bench.stub.prefix), {}):
            return pattern_of(bench, step)
    return ""


def prefixes(bench: Bench) -> list[str]:
    """What the base addresses have after their host, the longest first."""
    told = [value for value in bench.credentials().values() if isinstance(value, str) and "://" in value]
    return sorted({urlsplit(value).path for value in told} - {""}, key=len, reverse=True)


def pattern_of(bench: Bench, step: str) -> str:
    method, _, address = bench.steps[step].partition(" ")
    path = address.partition("?")[0]
    for prefix in prefixes(bench):
        path = path.removeprefix(prefix)
    return f"{method} {path}"


def answers_of(bench: Bench) -> Iterator[tuple[str, Any]]:
    """Call and JSON of every 2xx that the stand-in's handlers have answered."""
    for heard, status, body in bench.answers:
        step = bench.step_of(heard.method, heard.path, heard.query)
        if step and 200 <= status < 300 and isinstance(body, dict | list):
            yield pattern_of(bench, step), json.loads(json.dumps(body))


def learned(bench: Bench, read: dict[str, set[str]]) -> Shapes:
    """By call: each path with its types, and whether it is read, and not always there."""
    by_call: defaultdict[str, list[Any]] = defaultdict(list)
    for call, value in answers_of(bench):
        by_call[call].append(value)
    return {call: _shape(values, read.get(call, set())) for call, values in sorted(by_call.items())}


def _shape(values: list[Any], read: set[str]) -> dict[str, str]:
    types: defaultdict[str, set[str]] = defaultdict(set)
    objects: Counter[str] = Counter()
    present: Counter[str] = Counter()

    def walk(value: Any, path: str) -> None:
        types[path].add(type_of(value))
        if isinstance(value, dict):
            objects[path] += 1
            present.update({joined(path, name) for name in value})
            for name, part in value.items():
                walk(part, joined(path, name))
        elif isinstance(value, list):
            for item in value:
                walk(item, f"{path}[]")

    for value in values:
        walk(value, "")
    return {path: _words(path, types[path], objects, present, read) for path in sorted(types)}


def _words(path: str, types: set[str], objects: Counter[str], present: Counter[str], read: set[str]) -> str:
    parent, _, name = path.rpartition(".")
    part = bool(name) and not path.endswith("[]")
    words = sorted(types)
    words += [READ] if path in read else []
    words += [SOMETIMES] if part and present[path] < objects[parent] else []
    return " ".join(words)


def written(shapes: Shapes) -> str:
    calls = (
        f"{json.dumps(call)}: {json.dumps(shapes[call], sort_keys=True, ensure_ascii=False)}"
        for call in sorted(shapes)
    )
    return "{\n" + ",\n".join(calls) + "\n}\n"
