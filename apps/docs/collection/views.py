"""The downloads: the same for everyone, made once a process."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.docs.collection import postman
from apps.gateway.envelope import JSON, render


@cache
def written(what: str) -> bytes:
    makers: dict[str, Any] = {"collection": postman.collection, "environment": postman.environment}
    return render(makers[what]())


def postman_collection(_request: HttpRequest) -> HttpResponse:
    return download("collection")


def postman_environment(_request: HttpRequest) -> HttpResponse:
    return download("environment")


def download(what: str) -> HttpResponse:
    response = HttpResponse(written(what), content_type=JSON)
    name = f"travel-partner-api.postman_{what}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "public, max-age=60"
    return response
