"""The tabs above a list: one for each status, with how many rows it has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from apps.common.counts import MOST, capped_counts


@dataclass(frozen=True, slots=True)
class Tab:
    """`value` is that of the parameter `status`; empty for the tab of all."""

    value: str
    label: str
    count: int | None
    """None where counting would read the whole history."""
    is_current: bool

    @property
    def shown(self) -> str:
        """`37`, or `1,000+` where more were not counted; empty where nothing was."""
        if self.count is None:
            return ""
        return f"{self.count:,}" if self.count <= MOST else f"{MOST:,}+"


def tabs_of(
    labels: Mapping[str, str], selections: Mapping[str, QuerySet[Any]], chosen: str, *, counted: bool = True
) -> list[Tab]:
    """A tab for each label. `selections` has what each would list, under the same names. One query, or none if not `counted`."""
    counts: list[int | None] = [None] * len(labels)
    if counted:
        counts = [*capped_counts([selections[value] for value in labels])]
    return [
        Tab(value, label, count, is_current=value == chosen)
        for (value, label), count in zip(labels.items(), counts, strict=True)
    ]
