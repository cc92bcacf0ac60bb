"""Middleware of the portal while one of our staff reads a partner's pages: nothing can be written, whatever view answers."""

from collections.abc import Callable

from django.contrib import messages
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from apps.gateway.client_ip import client_address
from apps.portal.staff.visit import SESSION_KEY, Visit, end, note_page, visit_of

READING = frozenset({"GET", "HEAD"})
PORTAL = "/portal/"


class StaffVisit:
    """Sets `request.staff_visit` for the portal's views and templates, while there is a visit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PORTAL) or SESSION_KEY not in request.session:
            return self.get_response(request)
        visit = visit_of(request)
        if visit is None:
            return over(request)
        request.staff_visit = visit  # type: ignore[attr-defined]
        is_reading = request.method in READING
        note_page(visit, request.path, refused=not is_reading, address=client_address(request))
        return self.read(request) if is_reading else refuse(request, visit)

    def read(self, request: HttpRequest) -> HttpResponseBase:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            return self.get_response(request)


def over(request: HttpRequest) -> HttpResponseBase:
    end(request)
    messages.info(request, "Your look at the partner's portal is over. It ends by itself after 30 minutes.")
    return redirect("admin:index")


def refuse(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    return render(request, "portal/staff_visit_refused.html", {"visit": visit}, status=403)
