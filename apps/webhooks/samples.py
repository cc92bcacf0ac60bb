"""A sample of each event type: the deliveries that the OpenAPI document shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from apps.gateway.recorded_examples import recorded_events


@dataclass(frozen=True, slots=True)
class Sample:
    """`name` is unique among the samples of its type; `summary` says what it is about."""

    name: str
    summary: str
    payload: Mapping[str, Any]


@cache
def samples() -> dict[str, tuple[Sample, ...]]:
    """By event type, each with at least one. Read once from the files."""
    found: dict[str, list[Sample]] = {}
    for each in recorded_events():
        found.setdefault(each.type, []).append(Sample(each.name, each.summary, each.payload))
    return {type: tuple(several) for type, several in found.items()}


def sample_of(type: str, name: str) -> Sample | None:
    """The sample of this name; the first one for an empty name; None where there is none."""
    several = samples().get(type, ())
    return next((each for each in several if name in ("", each.name)), None)
