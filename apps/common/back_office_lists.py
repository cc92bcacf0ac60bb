"""The lists of the back office: counted in part, and refused where Django would overlook what the address asks."""

from functools import cached_property
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ORDER_VAR, ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
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
    """A list that refuses a page beyond its last one, and an order by what cannot be ordered, where Django overlooks them."""

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

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        whole = self.show_all and self.can_show_all
        if not whole and self.page_num > max(1, self.paginator.num_pages):
            raise IncorrectLookupParameters("There is no such page.")

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        for column in filter(None, self.params.get(ORDER_VAR, "").split(".")):
            number = int(column.lstrip("-"))
            if number >= len(self.list_display) or not self.get_ordering_field(self.list_display[number]):
                raise IncorrectLookupParameters(f"The list cannot be ordered by column {number}.")
        return super().get_ordering(request, queryset)
