"""A list with filters in the address, one page of it at a time."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse

from apps.common import keyset
from apps.portal.base_view import PortalView
from apps.portal.list_filters import ListFilters
from apps.portal.saved_views.bar import bar_of

MOST_NEWER = 99


class ListView(PortalView):
    list_name: ClassVar[str]
    """As the saved views know it."""

    @property
    def cursor(self) -> str | None:
        """Where the page begins; None for the newest."""
        return self.request.GET.get("cursor") or None

    @property
    def newest_seen(self) -> str | None:
        """The newest row of an open page, which asks whether there are newer ones; None where a page is asked for."""
        return self.request.GET.get("newer_than")

    def render_list(self, template: str, form: ListFilters, page: object, **more: Any) -> HttpResponse:
        """`page` is what a selector returned for `form.filters()` and `self.cursor`."""
        shown = {"form": form, "page": page, "cursor": self.cursor, "narrowed": form.is_narrowed}
        shown["views"] = bar_of(self.portal, self.list_name, self.request.GET.urlencode())
        return self.render(template, {**shown, **more})

    def count_newer(self, rows: QuerySet[Any], *, numbered: bool = False) -> JsonResponse:
        """How many of `rows` are above the newest one that the open page shows, for its script (static/js/lists.js)."""
        above = keyset.above(self.newest_seen, numbered=numbered)
        return JsonResponse({"newer": rows.filter(above)[: MOST_NEWER + 1].count()})
