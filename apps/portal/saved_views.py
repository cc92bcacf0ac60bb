"""Saved views: the filters of a list under a name, for one member or the whole account."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse

from apps.accounts.members import lock_own
from apps.accounts.models import Membership, Role
from apps.common.environments import Environment
from apps.common.errors import Conflict, NotFound
from apps.portal.base import PortalView
from apps.portal.context import EVERYONE, PortalContext
from apps.portal.models import LONGEST_NAME, LONGEST_QUERY, SavedView


@dataclass(frozen=True, slots=True)
class FilteredList:
    """`page` is the URL name of the list."""

    page: str
    account_wide: bool = False

    def stored_environment(self, environment: str) -> str:
        return "" if self.account_wide else environment

    def address(self, environment: str) -> str:
        named = {} if self.account_wide else {"environment": environment}
        return reverse(f"portal:{self.page}", kwargs=named)

    def filters_in(self, query: str) -> str:
        """The filters of a query string in one order, without what is empty and what is no filter, as the page's cursor."""
        given = {name: value for name, value in parse_qsl(query) if "\x00" not in value}
        names = fields_of(self.address(Environment.TEST))
        return urlencode(sorted((name, given[name]) for name in names if given.get(name)))


LISTS = {
    "requests": FilteredList("requests"),
    "bookings": FilteredList("bookings"),
    "ledger": FilteredList("ledger"),
    "deliveries": FilteredList("deliveries"),
    "events": FilteredList("events"),
    "audit": FilteredList("audit", account_wide=True),
}


@cache
def fields_of(address: str) -> tuple[str, ...]:
    """The filters of the list at this address."""
    view: Any = resolve(address).func
    return tuple(view.view_class.form_class.base_fields)


MOST = 20
"""Views of one list that a member has; as many again are shared."""
SHARING = frozenset({Role.OWNER, Role.DEVELOPER, Role.FINANCE})
"""Who shares a view with the account, and may remove a shared one."""


@transaction.atomic
def save_view(
    *, membership: Membership, environment: str, list_name: str, name: str, query: str, shared: bool
) -> SavedView:
    """Raises Conflict where the name is taken, or where there are as many views as there may be.

    Raises PermissionDenied for a member who has just been removed.
    """
    lock_own(membership)
    owner = None if shared else membership
    alike = SavedView.objects.filter(
        account_id=membership.account_id, membership=owner, environment=environment, list=list_name
    )
    taken = Conflict("There is a view of this name already. Choose another one, or remove that first.")
    if alike.filter(name=name).exists():
        raise taken
    if alike.count() >= MOST:
        whose = "are shared" if shared else "are yours"
        raise Conflict(f"{MOST} views of this list {whose} already. Remove one first.")
    view, made = SavedView.objects.get_or_create(
        account_id=membership.account_id,
        membership=owner,
        environment=environment,
        list=list_name,
        name=name,
        defaults={"query": query},
    )
    if not made:  # another member shared one of this name at the same moment
        raise taken
    return view


def remove_view(*, membership: Membership, view_id: int) -> SavedView:
    """Raises NotFound for what this member may not remove."""
    view = _seen_by(membership).filter(pk=view_id).first()
    if view is None or (view.is_shared and membership.role not in SHARING):
        raise NotFound
    SavedView.objects.filter(pk=view.pk).delete()
    return view


def _seen_by(membership: Membership) -> QuerySet[SavedView]:
    return SavedView.objects.filter(
        Q(membership=membership) | Q(membership=None), account_id=membership.account_id
    )


class SavedViewForm(forms.Form):
    name = forms.CharField(
        label="Name", max_length=LONGEST_NAME, error_messages={"required": "Give the view a name."}
    )
    query = forms.CharField(
        max_length=LONGEST_QUERY,
        widget=forms.HiddenInput,
        error_messages={"required": "Nothing is filtered. Filter the list first."},
    )
    shared = forms.BooleanField(label="Shared with the whole account", required=False)


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
    """`query` is that of the page. The member's own views come before the shared ones. One query of the database."""
    listed = LISTS[list_name]
    address, current = listed.address(portal.environment), listed.filters_in(query)
    may_share = portal.has_role(SHARING)
    stored_in = listed.stored_environment(portal.environment)
    views = _seen_by(portal.membership).filter(environment=stored_in, list=list_name)
    links = [
        Link(
            view.pk,
            view.name,
            f"{address}?{view.query}",
            view.is_shared,
            is_current=view.query == current,
            may_remove=may_share or not view.is_shared,
        )
        for view in views.order_by(F("membership").asc(nulls_last=True), "name")
    ]
    return Bar(list_name, links, current, may_share)


class SavedViewsView(PortalView):
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest, list_name: str) -> HttpResponse:
        """A GET follows after logging in again. It leads to the list."""
        return redirect(self.listed(list_name).address(self.portal.environment))

    def post(self, request: HttpRequest, list_name: str) -> HttpResponse:
        """Raises PermissionDenied where a member who only looks would share a view."""
        listed = self.listed(list_name)
        address = listed.address(self.portal.environment)
        query = listed.filters_in(request.POST.get("query", ""))
        form = SavedViewForm({**request.POST.dict(), "query": query})  # judged as it is kept: percent-encoded
        if not form.is_valid():
            said = [error for errors in form.errors.values() for error in errors]
            messages.error(request, " ".join(map(str, said)))
            return redirect(f"{address}?{query}")
        if form.cleaned_data["shared"] and not self.portal.has_role(SHARING):
            raise PermissionDenied
        try:
            view = save_view(
                membership=self.portal.membership,
                environment=listed.stored_environment(self.portal.environment),
                list_name=list_name,
                name=form.cleaned_data["name"],
                query=query,
                shared=form.cleaned_data["shared"],
            )
        except Conflict as refusal:
            messages.error(request, refusal.message)
        else:
            messages.success(request, f"Saved as “{view.name}”.")
        return redirect(f"{address}?{query}")

    def listed(self, list_name: str) -> FilteredList:
        if list_name not in LISTS:
            raise Http404
        return LISTS[list_name]


class SavedViewRemoveView(SavedViewsView):
    def get(self, request: HttpRequest, list_name: str, view_id: int) -> HttpResponse:  # type: ignore[override]
        return super().get(request, list_name)

    def post(self, request: HttpRequest, list_name: str, view_id: int) -> HttpResponse:  # type: ignore[override]
        listed = self.listed(list_name)
        try:
            view = remove_view(membership=self.portal.membership, view_id=view_id)
        except NotFound:
            raise Http404 from None
        messages.success(request, f"The view “{view.name}” is removed.")
        return redirect(listed.address(self.portal.environment))
