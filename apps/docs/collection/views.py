"""The downloads: the same for everyone, made once a process."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from django.http import HttpRequest, HttpResponse

from apps.docs.collection import bruno, postman
from apps.gateway.envelope import JSON, render

WORKFLOWS = Path(__file__).parent / "workflows.arazzo.yaml"


@cache
def written(what: str) -> bytes:
    makers: dict[str, Any] = {
        "collection": postman.collection,
        "environment": postman.environment,
        "workflows": workflows,
    }
    return bruno.archive() if what == "bruno" else render(makers[what]())


def workflows() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOWS.read_text(encoding="utf-8"))
    return found


def postman_collection(_request: HttpRequest) -> HttpResponse:
    return download("collection", "travel-partner-api.postman_collection.json", JSON)


def postman_environment(_request: HttpRequest) -> HttpResponse:
    return download("environment", "travel-partner-api.postman_environment.json", JSON)


def bruno_collection(_request: HttpRequest) -> HttpResponse:
    return download("bruno", "travel-partner-api.bruno.zip", "application/zip")


def arazzo_workflows(_request: HttpRequest) -> HttpResponse:
    return download("workflows", "travel-partner-api.workflows.arazzo.json", JSON)


def download(what: str, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(written(what), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "public, max-age=60"
    return response
