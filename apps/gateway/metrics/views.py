"""/metrics: every figure, for whoever has METRICS_TOKEN. Without that setting there is no such page."""

from importlib import import_module

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.gateway.bearer import has_token


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not settings.METRICS_TOKEN:
        return HttpResponse(status=404)
    if not has_token(request, settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    told = import_module("apps.gateway.metrics.exposition")
    return HttpResponse(told.written(), content_type=told.CONTENT_TYPE)
