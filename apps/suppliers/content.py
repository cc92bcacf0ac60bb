"""What becomes of each field that a supplier documents of what it sells: shown to partners, withheld for a reason, not yet shown.

A connector declares it in its `content.py`, next to the list of what the supplier's own documentation names: a text file with one
path a line, `slices[].segments[].aircraft.name`. A declaration that names a part (`slices[].segments[].aircraft`) speaks for all
that is below it, unless a longer path says otherwise. `manage.py supplier_content` prints it (`make content`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path


class Fate(StrEnum):
    SHOWN = "shown"
    WITHHELD = "withheld"
    NOT_YET = "not yet"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Content:
    supplier: str
    subject: str  # what the object is: `offer`, `rate`, `hotel`
    documented: tuple[str, ...]  # the paths of all its fields
    shown: Mapping[str, str]  # path → what it is for the partner: the field of ours, or what it decides
    withheld: Mapping[str, str]  # path → why no partner sees it
    not_yet: Mapping[str, str] = field(default_factory=dict)  # path → what is missing until it can be shown

    @cached_property
    def declared(self) -> dict[str, tuple[Fate, str]]:
        """Path → what becomes of it. Raises ValueError for a path that is declared twice."""
        parts = ((Fate.SHOWN, self.shown), (Fate.WITHHELD, self.withheld), (Fate.NOT_YET, self.not_yet))
        found: dict[str, tuple[Fate, str]] = {}
        for fate, paths in parts:
            for path, words in paths.items():
                if path in found:
                    raise ValueError(f"{path} is declared twice")
                found[path] = (fate, words)
        return found

    def fate_of(self, path: str) -> tuple[Fate, str]:
        """What becomes of a field, and the words for it: those of the longest declared path that it is, or is below."""
        for above in (path, *parents(path)):
            if above in self.declared:
                return self.declared[above]
        return Fate.UNKNOWN, ""

    def fates(self) -> dict[str, tuple[Fate, str]]:
        return {path: self.fate_of(path) for path in self.documented}

    def unknown(self) -> list[str]:
        return [path for path, (fate, _) in self.fates().items() if fate == Fate.UNKNOWN]

    def needless(self) -> list[str]:
        """Declared paths that the documentation does not have, or no longer has."""
        known = {above for path in self.documented for above in (path, *parents(path))}
        return [path for path in self.declared if path not in known]

    def undocumented(self, paths: Iterable[str]) -> list[str]:
        """Those of an answer's paths that are not documented. What lies below a documented path without parts of its own is."""
        known = set(self.documented)
        above = {over for path in known for over in parents(path)}
        return [
            path
            for path in paths
            if path not in above and not any(one in known for one in (path, *parents(path)))
        ]


def parents(path: str) -> list[str]:
    """The paths that this one is below, the nearest first: `a[].b.c` → `a[].b`, `a[]`, `a`."""
    ends = [match.start() for match in re.finditer(r"\.|\[\]", path)]
    return [path[:end] for end in reversed(ends) if end]


def documented_in(file: Path) -> tuple[str, ...]:
    """The paths of a file, one a line. Lines that begin with # say where they are from."""
    lines = (line.strip() for line in file.read_text().splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
