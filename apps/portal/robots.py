"""Which answers a search engine may keep: the documentation's, and what it reads to show them."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

FOUND = ("/docs", "/static/", "/llms", "/robots.txt", "/sitemap.xml", "/.well-known/")


class KeepOutOfSearch:
    """Middleware for pages: the portal, the sign-in and the back office are nobody's search result."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not request.path_info.startswith(FOUND):
            response["X-Robots-Tag"] = "noindex, nofollow"
        return response
