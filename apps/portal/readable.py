"""Refuses input that PostgreSQL cannot read, before a query fails because of it."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import BadRequest, ValidationError
from django.http import HttpRequest


def refuse_unreadable(request: HttpRequest, *more: str) -> None:
    """Raises BadRequest for a NUL character in the address or in `more`: PostgreSQL cannot store one."""
    asked = [value for _, values in request.GET.lists() for value in values]
    if any("\x00" in text for text in (request.path_info, *asked, *more)):
        raise BadRequest("The request contains what no text may.")


def refuse_unreadable_keys(key: Any, chosen: Iterable[str]) -> None:
    """Raises BadRequest if one of `chosen` cannot be a value of `key`, a model's primary key: a word for a number."""
    try:
        for value in chosen:
            key.to_python(value)
    except ValidationError:
        raise BadRequest("The request names what no row can be called.") from None
