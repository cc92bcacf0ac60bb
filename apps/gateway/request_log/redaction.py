"""What is left of a body for the request log: what `kept` allows, and "•••" for everything else.

A traveller's name typed into `offerId` goes as surely as one in `firstName`, and a property that nobody foresaw goes with its
name. Work and size are bounded: a body of 256 KiB costs no more than one of 4 KiB.
"""

from collections.abc import Mapping, Sequence

from apps.gateway.request_log.kept import (
    KEPT,
    KEPT_OF_REFUSALS,
    KNOWN_NAMES,
    OPENED,
    Judge,
    is_known_path,
)

HIDDEN = "•••"
OMITTED = "…"
"""The name, or the item, that stands for what was left out for its length."""

MAX_BYTES = 4096
MAX_DEPTH = 8
COST_OF_A_PLACE = 16
"""A hidden value's bytes, with the quotes, colons and commas around it and its name."""
COST_OF_A_NUMBER = 24
OUTLINE = {
    name: KEPT[name]
    for name in ("id", "reference", "status", "totalCents", "currency", "total", "remaining", "createdAt")
}


class _Redactor:
    """One body's worth of room: everything is paid for by its length, and what cannot be paid for is omitted."""

    __slots__ = ("kept", "left")

    def __init__(self, kept: Mapping[str, Judge]) -> None:
        self.kept = kept
        self.left = MAX_BYTES - 2 * COST_OF_A_PLACE

    def properties(self, value: Mapping[str, object], depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, below in value.items():
            shown = name if name in KNOWN_NAMES else HIDDEN
            self.left -= len(shown) + COST_OF_A_PLACE
            if self.left < 0:
                found[OMITTED] = True
                break
            found[shown] = self.value(shown, below, depth)
        return found

    def value(self, name: str, value: object, depth: int) -> object:
        """`value` as the property `name` may show it."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, dict | list | tuple):
            if name not in OPENED or depth == MAX_DEPTH:
                return HIDDEN
            return (
                self.properties(value, depth + 1)
                if isinstance(value, dict)
                else self.items(name, value, depth + 1)
            )
        judge = self.kept.get(name)
        if judge is None or not judge(value):
            return HIDDEN
        self.left -= len(value) if isinstance(value, str) else COST_OF_A_NUMBER
        return value

    def items(self, name: str, value: Sequence[object], depth: int) -> list[object]:
        found: list[object] = []
        for below in value:
            self.left -= COST_OF_A_PLACE
            if self.left < 0:
                found.append(OMITTED)
                break
            found.append(self.value(name, below, depth))
        return found


def redact(body: object) -> dict[str, object] | None:
    """A JSON object with only what may be kept of it; None for nothing, and for what is no object."""
    return _redacted(body, KEPT)


def outline(body: object) -> dict[str, object] | None:
    """The few properties on the first level that say what the answer was."""
    if not isinstance(body, dict):
        return None
    found: dict[str, object] = {}
    for name, judge in OUTLINE.items():
        value = body.get(name)
        if value is not None and judge(value):
            found[name] = value
    return found or None


def redact_refusal(body: object) -> dict[str, object] | None:
    """An error's envelope: as any body, and of its messages those that quote nothing that was sent."""
    return _redacted(body, KEPT_OF_REFUSALS)


def _redacted(body: object, kept: Mapping[str, Judge]) -> dict[str, object] | None:
    if not isinstance(body, dict) or not body:
        return None
    return _Redactor(kept).properties(body, 0)


def redact_path(dotted: str) -> str:
    """`slices.0.origin` as it is; a step that is no name of ours, because somebody typed it, is hidden."""
    return ".".join(step if is_known_path(step) else HIDDEN for step in dotted.split(".")[:MAX_DEPTH])
