"""Gzip for the answers of /v1, by Django's middleware (contract §2, fine print)."""

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

LEAST_BYTES = 1024
"""A shorter answer fits one packet as it is."""
PARTNER_ROUTES = frozenset({"v1", "sandbox"})
"""The first part of the paths that partners' systems call."""
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


def is_partner_route(request: HttpRequest) -> bool:
    """Whether the path belongs to /v1 or to /sandbox, where every answer is JSON.

    `//v1/account` (a base address with a slash at its end) and `/V1/account` belong to it, as unknown paths.
    """
    return request.path_info.lstrip("/").partition("/")[0].lower() in PARTNER_ROUTES


def accepts_gzip(request: HttpRequest) -> bool:
    """Whether Accept-Encoding names gzip, and not with a weight of 0."""
    return GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")) is not None


class CompressionMiddleware(GZipMiddleware):
    """Never compresses an answer that shows a secret: its length would tell the secret letter by letter to whoever sees it and
    can put text into such answers (BREACH). So the other lengths need no noise, and HEAD has that of GET.
    """

    max_random_bytes = 0

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        content: bytes = getattr(response, "content", b"")
        if not content or not is_partner_route(request):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if (
            len(content) < LEAST_BYTES
            or getattr(response, "shows_secret", False)
            or not accepts_gzip(request)
        ):
            return response
        return super().process_response(request, response)
