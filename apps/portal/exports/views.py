"""The files of a member: ask for one of a long list, see how far it is, take it, remove it."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect

from apps.accounts import clocks
from apps.common import clock
from apps.common.errors import Conflict, NotFound
from apps.portal.base_view import PortalView
from apps.portal.context import EVERYONE
from apps.portal.csv_files import MOST, csv_file, file_name, frozen
from apps.portal.exports.ask import (
    LIFETIME,
    ask_for_export,
    content_of,
    export_of,
    exports_of,
    remove_export,
)
from apps.portal.exports.models import LONGEST_QUERY, Export
from apps.portal.exports.sources import SOURCES, TITLES
from apps.portal.saved_views.lists import LISTS


class ExportsView(PortalView):
    section = "exports"
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest) -> HttpResponse:
        """With `list` and `query`, the filters of a list, it offers to write that file."""
        offered = request.GET.get("list", "")
        return self.page(offered if offered in SOURCES else "", request.GET.get("query", ""))

    def post(self, request: HttpRequest) -> HttpResponse:
        list_name, query = request.POST.get("list", ""), request.POST.get("query", "")
        if list_name not in SOURCES or "\x00" in query:
            raise Http404
        try:
            self.ask(list_name, LISTS[list_name].filters_in(query))
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return self.page(list_name, query, status=400)
        messages.success(request, "The file is being written. This page shows when it is ready.")
        return redirect(self.portal.reverse("exports"))

    def ask(self, list_name: str, query: str) -> Export:
        """Raises Conflict for filters that cannot be read, as well as for too many files."""
        portal, listed = self.portal, LISTS[list_name]
        stored = portal.account.pk if listed.account_wide else portal.account_id
        environment = listed.stored_environment(portal.environment)
        # Calls and the trail are in real time; bookings and deliveries are in that of the environment.
        if list_name in ("requests", "audit"):
            clocks.enter(None)
        form, _ = SOURCES[list_name](stored, environment, QueryDict(query))
        if not form.is_valid():
            raise Conflict("The filters cannot be read. Go back to the list, and correct them.")
        asked = frozen(form, query)
        if len(asked) > LONGEST_QUERY:
            raise Conflict("The filters are too long.")
        return ask_for_export(
            membership=portal.membership,
            stored_account_id=stored,
            environment=environment,
            list_name=list_name,
            query=asked,
            name=file_name(list_name, environment),
        )

    def page(self, list_name: str, query: str, *, status: int = 200) -> HttpResponse:
        exports = list(exports_of(self.portal.membership))
        for export in exports:
            export.title = TITLES.get(export.list, export.list)  # type: ignore[attr-defined]
        context: dict[str, Any] = {
            "exports": exports,
            "any_open": any(export.is_open for export in exports),
            "offered": list_name,
            "title": TITLES.get(list_name, ""),
            "query": query,
            "most": MOST,
            "hours": int(LIFETIME.total_seconds() // 3_600),
        }
        return self.render("portal/exports/index.html", context, status=status)


class ExportFileView(PortalView):
    section = "exports"

    def get(self, request: HttpRequest, export_id: str) -> HttpResponseBase:
        try:
            export = export_of(self.portal.membership, export_id)
        except NotFound:
            raise Http404 from None
        if not export.may_be_taken(clock.now()):
            return redirect(self.portal.reverse("exports"))
        return csv_file(content_of(export), export.name)


class ExportRemoveView(PortalView):
    section = "exports"
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest, export_id: str) -> HttpResponse:
        """A GET follows after signing in anew."""
        return redirect(self.portal.reverse("exports"))

    def post(self, request: HttpRequest, export_id: str) -> HttpResponse:
        try:
            remove_export(self.portal.membership, export_id)
        except NotFound:
            raise Http404 from None
        messages.success(request, "The file is removed.")
        return redirect(self.portal.reverse("exports"))
