"""What no text may contain and no row be called, refused before any query stumbles over it."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import MAXYEAR
from typing import Any

from django.core.exceptions import BadRequest, ValidationError
from django.http import HttpRequest


def refuse_unreadable(request: HttpRequest, *more: str) -> None:
    """PostgreSQL keeps no NUL, so nothing is found by one: in the address, or in `more` of what was sent."""
    asked = [value for _, values in request.GET.lists() for value in values]
    if any("\x00" in text for text in (request.path_info, *asked, *more)):
        raise BadRequest("The request contains what no text may.")


def refuse_last_year(request: HttpRequest) -> None:
    """The calendars over the admin's lists reckon with the day after: the last year that a date can have is beyond them."""
    years = [year for name, asked in request.GET.lists() if name.endswith("__year") for year in asked]
    for year in years:
        with suppress(ValueError):  # no number: the admin says so itself
            if int(year) == MAXYEAR:
                raise BadRequest("There is nothing after this year.")


def refuse_unreadable_keys(key: Any, chosen: Iterable[str]) -> None:
    """`key` is the primary key of a model: a number, say, is not found by a word, nor asked for by one."""
    try:
        for value in chosen:
            key.to_python(value)
    except ValidationError:
        raise BadRequest("The request names what no row can be called.") from None
