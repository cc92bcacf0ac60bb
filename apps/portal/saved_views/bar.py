"""The saved views above a list, for its template."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.portal.context import PortalContext
from apps.portal.saved_views.choose import SHARING, views_of
from apps.portal.saved_views.lists import LISTS


@dataclass(frozen=True, slots=True)
class Link:
    view_id: int
    name: str
    address: str
    is_shared: bool
    is_current: bool
    may_remove: bool


@dataclass(frozen=True, slots=True)
class Bar:
    list_name: str
    links: Sequence[Link]
    query: str
    """The filters of the page as they would be saved; empty where nothing is filtered."""
    may_share: bool

    @property
    def is_saved(self) -> bool:
        return any(link.is_current for link in self.links)


def bar_of(portal: PortalContext, list_name: str, query: str) -> Bar:
    """`query` is that of the page. One query of the database."""
    listed = LISTS[list_name]
    address, current = listed.address(portal.environment), listed.filters_in(query)
    may_share = portal.has_role(SHARING)
    views = views_of(portal.membership, listed.stored_environment(portal.environment), list_name)
    links = [
        Link(
            view.pk,
            view.name,
            f"{address}?{view.query}",
            view.is_shared,
            is_current=view.query == current,
            may_remove=may_share or not view.is_shared,
        )
        for view in views
    ]
    return Bar(list_name, links, current, may_share)
