"""`/` and `/portal/` lead to the home page of the environment last looked at."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from apps.portal.place import environment_last_seen


@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    environment = environment_last_seen(request)
    return redirect("portal:home", environment=environment)
