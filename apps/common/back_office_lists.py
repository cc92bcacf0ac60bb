"""The lists of the back office, which are counted in part."""

from functools import cached_property
from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.utils.text import capfirst

COUNTED = 2_000


class CountedInPart(Paginator):  # type: ignore[type-arg]
    """Counts no further than `COUNTED` rows: who looks for an older one narrows the list instead of leafing through it."""

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: COUNTED + 1].count())

    @property
    def count(self) -> int:
        return min(self._counted, COUNTED)

    @property
    def has_more(self) -> bool:
        """Whether there are more rows than were counted."""
        return self._counted > COUNTED


class List(ChangeList):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if not self.is_popup:
            self.title = capfirst(str(self.opts.verbose_name_plural))

    @property
    def has_more(self) -> bool:
        return bool(self.paginator.has_more)

    @property
    def count_in_words(self) -> str:
        """`836`, or `more than 2,000`."""
        return f"more than {COUNTED:,}" if self.has_more else f"{self.result_count:,}"
