"""A list with filters in the address, one page of it at a time."""

from typing import Any

from django.http import HttpResponse

from apps.portal.base_view import PortalView
from apps.portal.list_filters import ListFilters


class ListView(PortalView):
    @property
    def cursor(self) -> str | None:
        """Where the page begins; None for the newest."""
        return self.request.GET.get("cursor") or None

    def render_list(self, template: str, form: ListFilters, page: object, **more: Any) -> HttpResponse:
        """`page` is what a selector returned for `form.filters()` and `self.cursor`."""
        shown = {"form": form, "page": page, "cursor": self.cursor, "narrowed": form.is_narrowed}
        return self.render(template, {**shown, **more})
