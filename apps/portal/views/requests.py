"""The request log: every /v1 call of the last 30 days, and for each one which check let it through or stopped it."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.gateway.errors import NotFound
from apps.gateway.request_log.selectors import call_of, page_of_calls
from apps.keys.models import ApiKey
from apps.keys.selectors import keys_of
from apps.portal.forms.requests import RequestFilters
from apps.portal.place import PortalView
from apps.portal.request_story import story_of

KEYS_OFFERED = 100


class Requests(PortalView):
    section = "requests"

    def get(self, request: HttpRequest) -> HttpResponse:
        place = self.place
        form = RequestFilters(request.GET, keys=self.keys())
        form.is_valid()
        filters = form.filters()
        if is_whole_id(filters.request_id):
            return redirect(place.reverse("request", request_id=filters.request_id))
        cursor = request.GET.get("cursor") or None
        page = page_of_calls(place.account.pk, place.environment, filters=filters, cursor=cursor)
        shown = {"form": form, "page": page, "cursor": cursor, "narrowed": form.is_narrowed}
        return self.render("portal/requests/index.html", shown)

    def keys(self) -> list[ApiKey]:
        """As many as anybody chooses from, and the one that a link has chosen already."""
        place, asked_for = self.place, self.request.GET.get("key")
        keys = keys_of(place.account.pk, place.environment).only("id", "name").order_by("name")
        offered = list(keys[:KEYS_OFFERED])
        if asked_for and all(key.pk != asked_for for key in offered):
            offered += keys.filter(pk=asked_for)
        return offered


class Request(PortalView):
    section = "requests"

    def get(self, request: HttpRequest, request_id: str) -> HttpResponse:
        try:
            call = call_of(self.place.account.pk, self.place.environment, request_id)
        except NotFound:
            return self.render("portal/requests/missing.html", status=404)
        return self.render("portal/requests/detail.html", {"call": call, "story": story_of(call)})


def is_whole_id(text: str | None) -> bool:
    try:
        return len(str(uuid.UUID(text or ""))) == len((text or "").strip())
    except ValueError:
        return False
