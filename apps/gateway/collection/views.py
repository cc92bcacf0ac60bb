"""The downloads: the same for everyone, made once a process."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.gateway.collection import bruno, postman
from apps.gateway.envelope import JSON, render


@cache
def written(what: str) -> bytes:
    makers: dict[str, Any] = {"collection": postman.collection, "environment": postman.environment}
    return bruno.archive() if what == "bruno" else render(makers[what]())


def postman_collection(_request: HttpRequest) -> HttpResponse:
    return download("collection", "travel-partner-api.postman_collection.json", JSON)


def postman_environment(_request: HttpRequest) -> HttpResponse:
    return download("environment", "travel-partner-api.postman_environment.json", JSON)


def bruno_collection(_request: HttpRequest) -> HttpResponse:
    return download("bruno", "travel-partner-api.bruno.zip", "application/zip")


def download(what: str, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(written(what), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "public, max-age=60"
    return response
