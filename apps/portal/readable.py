"""What no text may contain, refused before any query stumbles over it."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest


def refuse_unreadable(request: HttpRequest, *more: str) -> None:
    """PostgreSQL keeps no NUL, so nothing is found by one: in the address, or in `more` of what was sent."""
    asked = [value for _, values in request.GET.lists() for value in values]
    if any("\x00" in text for text in (request.path_info, *asked, *more)):
        raise BadRequest("The request contains what no text may.")
