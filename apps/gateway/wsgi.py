"""What must be put right before Django makes a request of it: Django reads the Content-Type outside every handler.

A parameter in an unknown encoding raises there, past the envelope, and a charset decides how even the query is decoded.
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
UNREADABLE = "application/x-unreadable"


def with_readable_content_type(application: Application) -> Application:
    """`application`, told of an unreadable type in place of one that Django could stumble over; step 11 refuses both alike."""

    def call(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not is_readable(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = UNREADABLE
        return application(environ, start_response)

    return call


def is_readable(content_type: str) -> bool:
    """Whether the parameters can be read, and name no charset but UTF-8."""
    try:
        _, parameters = parse_header_parameters(content_type)
    except ValueError:
        return False
    return parameters.get("charset", "utf-8").lower() in {"utf-8", "utf8"}
