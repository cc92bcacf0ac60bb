"""A supplier's answer, by the paths of its fields: which it has, and which a mapping really reads.

Paths are written as in `apps.suppliers.content`: `slices[].segments[].aircraft.name`.
"""

from collections.abc import Iterator
from typing import Any


def paths_of(value: Any, at: str = "") -> set[str]:
    """Of all that has no parts: texts, numbers, null, and what is empty."""
    if isinstance(value, dict) and value:
        return {
            path for name, part in value.items() for path in paths_of(part, f"{at}.{name}" if at else name)
        }
    if isinstance(value, list) and value:
        return {path for part in value for path in paths_of(part, f"{at}[]")}
    return {at}


def watched(value: Any, seen: set[str], at: str = "") -> Any:
    """The same value, which adds to `seen` the path of every field that is read."""
    if isinstance(value, dict):
        return WatchedDict(value, seen, at)
    if isinstance(value, list):
        return WatchedList([watched(part, seen, f"{at}[]") for part in value])
    return value


class WatchedList(list[Any]):
    """Its items are watched themselves."""


class WatchedDict(dict[str, Any]):
    def __init__(self, value: dict[str, Any], seen: set[str], at: str) -> None:
        self._seen = seen
        self._paths = {name: f"{at}.{name}" if at else name for name in value}
        super().__init__({name: watched(part, seen, self._paths[name]) for name, part in value.items()})

    def __getitem__(self, name: str) -> Any:
        self._seen.add(self._paths.get(name, name))
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._seen.add(self._paths.get(name, name))
        return super().get(name, default)

    def items(self) -> Any:
        return [(name, self[name]) for name in self]

    def values(self) -> Any:
        return [self[name] for name in self]

    def __iter__(self) -> Iterator[str]:
        return super().__iter__()


def is_read(path: str, seen: set[str]) -> bool:
    """Whether the field, or a part of it, was read."""
    return any(one == path or one.startswith((f"{path}.", f"{path}[")) for one in seen)
