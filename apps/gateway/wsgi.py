"""Corrects two headers before Django reads them, because Django reads them outside every handler.

Content-Type: a parameter in an unknown encoding raises there, and the answer would not wear the envelope. A charset changes how
even the query is decoded. And the standard library parses the parameters in a time that grows with the square of their length:
190 KB take seven seconds, before the key is checked.

Cookie: a quoted value with backslashes takes quadratic time as well (CVE-2024-7592, fixed in Python 3.11.10): 150 KB take half a
minute.
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_header_parameters

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
UNREADABLE = "application/x-unreadable"
MAX_TYPE_LENGTH = 512
"""In characters. A boundary, a charset and a few more parameters take less than half of it."""
MAX_COOKIES_LENGTH = 16 * 1024


def with_readable_headers(application: Application) -> Application:
    """`application` with safe headers. A Content-Type that Django may fail on becomes one that step 11 refuses."""

    def call(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "HTTP_COOKIE" in environ:
            environ["HTTP_COOKIE"] = readable_cookies(environ["HTTP_COOKIE"])
        if not is_readable(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = UNREADABLE
        return application(environ, start_response)

    return call


def is_readable(content_type: str) -> bool:
    """Whether the parameters are short enough, well-formed, and name no charset but UTF-8."""
    if len(content_type) > MAX_TYPE_LENGTH:
        return False
    try:
        _, parameters = parse_header_parameters(content_type)
    except ValueError:
        return False
    return parameters.get("charset", "utf-8").lower() in {"utf-8", "utf8"}


def readable_cookies(header: str) -> str:
    """The cookies without backslashes, which ours never contain. Empty where there are more than a browser keeps for one site."""
    return "" if len(header) > MAX_COOKIES_LENGTH else header.replace("\\", "")
