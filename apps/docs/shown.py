"""How each page of the documentation is shown: within its navigation."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.docs.guides import GUIDES


def show(request: HttpRequest, template: str, here: str, **context: Any) -> HttpResponse:
    """A page within the documentation's own navigation; `here` is its entry."""
    return render(
        request, template, {"guides": GUIDES, "here": here, "base_url": settings.PUBLIC_BASE_URL, **context}
    )
