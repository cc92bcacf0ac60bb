"""The tabs above a list: one for each status, with how many rows it has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from apps.common.counts import capped_counts, capped_words


@dataclass(frozen=True, slots=True)
class Tab:
    """`value` is that of the parameter `status`; empty for the tab of all."""

    value: str
    label: str
    shown: str
    """`37`, or `1,000+` where more were not counted; empty where counting would read the whole history."""
    is_current: bool


def tabs_of(
    labels: Mapping[str, str],
    selections: Mapping[str, QuerySet[Any]],
    chosen: str,
    *,
    counted: bool = True,
    known: Mapping[str, int] | None = None,
) -> list[Tab]:
    """A tab for each label. `selections` has what each would list, under the same names. One query, or none if not `counted`.

    `known` are counts that need not be made, and have no bound.
    """
    shown = {value: f"{count:,}" for value, count in (known or {}).items()}
    if counted:
        asked = [value for value in labels if value not in shown]
        counts = capped_counts([selections[value] for value in asked])
        shown |= {value: capped_words(count) for value, count in zip(asked, counts, strict=True)}
    return [
        Tab(value, label, shown.get(value, ""), is_current=value == chosen) for value, label in labels.items()
    ]
