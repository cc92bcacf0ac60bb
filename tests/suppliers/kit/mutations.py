"""Every field of an answer in turn missing, null, or of another type."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.suppliers.drift import type_of

KINDS = ("missing", "null", "type")
ANOTHER: dict[str, Any] = {
    "text": 7,
    "number": "seven",
    "bool": "yes",
    "null": 7,
    "list": {},
    "object": [],
}


@dataclass(frozen=True)
class Mutation:
    """`place`: the keys on the way to a field; of lists the first item."""

    place: tuple[str | int, ...]
    kind: str

    def __call__(self, answer: Any) -> Any:
        """The answer so mutated; as it is, where it has no such field."""
        mutated = copy.deepcopy(answer)
        parent = mutated
        for key in self.place[:-1]:
            try:
                parent = parent[key]
            except (LookupError, TypeError):
                return answer
        last = self.place[-1]
        if not isinstance(parent, dict) or last not in parent:
            return answer
        if self.kind == "missing":
            del parent[last]
        else:
            parent[last] = None if self.kind == "null" else ANOTHER[type_of(parent[last])]
        return mutated


def mutations_of(answer: Any, place: tuple[str | int, ...] = ()) -> Iterator[Mutation]:
    if isinstance(answer, dict):
        for name, part in answer.items():
            here = (*place, name)
            yield from (Mutation(here, kind) for kind in KINDS if not (kind == "null" and part is None))
            yield from mutations_of(part, here)
    elif isinstance(answer, list) and answer:
        yield from mutations_of(answer[0], (*place, 0))
