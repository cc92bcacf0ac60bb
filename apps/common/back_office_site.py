"""The site of the back office: Django's, with one door before every page.

An address that asks for what a page does not offer, or for what cannot be, is answered with 400 and a page that says so. What
we do not use is not served: the search of Django's select boxes, the way from a row to its page on a public site, and the
forms for signing in and for a password, for which people have the pages of their sign-in.
"""

import logging
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from django.contrib import admin
from django.core.exceptions import SuspiciousOperation
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse

from apps.common.back_office_query import UnreadableAddress, refuse_unoffered

logger = logging.getLogger(__name__)

NOT_SERVED = {"autocomplete", "view_on_site"}

View = Callable[..., HttpResponseBase]


class BackOfficeSite(admin.AdminSite):
    def get_urls(self) -> list[Any]:
        return [each for each in super().get_urls() if getattr(each, "name", None) not in NOT_SERVED]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(self._guarded(view), cacheable)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """No form: whoever is here has come through the sign-in (see config/urls.py), and through its second factor."""
        return redirect("admin:index")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """That of the sign-in: it bounds the tries, tells the person by mail, and writes the trail."""
        return redirect("account_change_password")

    def password_change_done(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")

    def _guarded(self, view: View) -> View:
        """The view, rendered here already, so that what its rows turn out to be is answered for as well."""
        pages = getattr(view, "__self__", None)
        name = getattr(view, "__name__", "")

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                if isinstance(pages, admin.ModelAdmin):
                    refuse_unoffered(pages, name, request)
                answer = view(request, *args, **kwargs)
                if isinstance(answer, SimpleTemplateResponse):
                    answer.render()
            except UnreadableAddress as refused:
                return self._unreadable(request, str(refused))
            except SuspiciousOperation as refused:  # what Django allows nobody to filter by or refer to
                return self._unreadable(request, f"{refused}.".replace(" not allowed.", " is not allowed."))
            except DataError as refused:
                logger.warning("PostgreSQL could not read what %s was asked for: %s", request.path, refused)
                return self._unreadable(request, "It names a value that cannot be.")
            return answer

        return update_wrapper(guarded, view)

    def _unreadable(self, request: HttpRequest, what: str) -> HttpResponse:
        context = {"has_permission": True, "title": "This address cannot be read", "what": what}
        return TemplateResponse(request, "admin/unreadable.html", context, status=400).render()
