"""Saves the filters of a list under a name, and removes a saved view. Both lead back to the list."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common.errors import Conflict, NotFound
from apps.portal.base_view import PortalView
from apps.portal.context import EVERYONE
from apps.portal.saved_views.choose import SHARING, remove_view, save_view
from apps.portal.saved_views.forms import SavedViewForm
from apps.portal.saved_views.lists import LISTS, FilteredList


class SavedViewsView(PortalView):
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest, list_name: str) -> HttpResponse:
        """A GET follows after signing in anew. It leads to the list."""
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
