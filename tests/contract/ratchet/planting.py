"""Plant each break into a document, one after the other, and ask which the comparison notices."""

import copy
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.contract.ratchet.breaks import Planting, plantings
from tests.contract.ratchet.documents import Released


@dataclass(slots=True)
class Tried:
    """Of one kind of break: at how many places it was planted, and where it was not noticed."""

    planted: int = 0
    unnoticed: list[str] = field(default_factory=list)


def tried(document: dict[str, Any], *, one_in: int = 1, first: int = 0) -> dict[str, Tried]:
    """By kind. `one_in=20` takes every twentieth place of each kind, from `first` on; at least one."""
    released, changed = Released(document), json.loads(json.dumps(document))
    by_kind: dict[str, list[Planting]] = {}
    for planting in plantings(changed):
        by_kind.setdefault(planting[0], []).append(planting)
    return {
        kind: _try(released, changed, found[first % min(one_in, len(found)) :: one_in])
        for kind, found in by_kind.items()
    }


def _try(released: Released, changed: dict[str, Any], found: Iterable[Planting]) -> Tried:
    result = Tried()
    for _, where, node, edit in found:
        whole = _snapshot(node)
        edit()
        result.planted += 1
        if not released.broken_by(changed):
            result.unnoticed.append(where)
        node.clear()
        node.update(whole)
    return result


def _snapshot(node: dict[str, Any]) -> dict[str, Any]:
    """What the edit may change, kept: the node, and the containers in it that an edit changes in place."""
    return {key: copy.copy(value) if key == "properties" else value for key, value in node.items()}
