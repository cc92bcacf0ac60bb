"""The simulated hotels' pictures, at addresses outside /v1 that need no key: a partner puts them into a page of its own."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.hotels.suppliers.drawings import drawn


@require_safe
def hotel_picture(_request: HttpRequest, name: str) -> HttpResponse:
    """The picture of this name, whether or not there is such a hotel: it is drawn from its name alone."""
    svg = drawn(name)
    if svg is None:
        raise Http404
    response = HttpResponse(svg, content_type="image/svg+xml")
    response["Cache-Control"] = "public, max-age=86400"
    response["Content-Security-Policy"] = "default-src 'none'"
    return response
