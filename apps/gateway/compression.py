"""Answers of /v1 leave gzip-compressed where the caller asks for that (RFC 9110 §12.5.3).

An answer that shows a secret never does: whoever sees the length of such answers, and can put text into them, learns the secret
letter by letter (BREACH).
"""

import re
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from isal import isal_zlib

LEAST_BYTES = 1024
"""A shorter answer fits one packet as it is."""
LEVEL = 1
"""Measured (docs/request-costs.md): the levels above cost more and hardly gain."""
GZIP_FORMAT = 31
LONGEST_ASKED = 256
WEIGHT = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")


def encode(request: HttpRequest, response: HttpResponse) -> None:
    """Compress the body where the caller's Accept-Encoding says so, and tell caches that it depends on that."""
    response.headers["Vary"] = "Accept-Encoding"
    asked: str | None = request.META.get("HTTP_ACCEPT_ENCODING")
    if not asked or getattr(response, "shows_secret", False) or response.has_header("Content-Encoding"):
        return
    least = least_bytes(asked)
    if least is not None and len(response.content) >= least:
        response.content = packed(response.content)
        response["Content-Encoding"] = "gzip"


def packed(content: bytes) -> bytes:
    """`content` in the form of gzip. The same content gives the same bytes."""
    return isal_zlib.compress(content, level=LEVEL, wbits=GZIP_FORMAT)


@lru_cache(256)
def least_bytes(accept_encoding: str) -> int | None:
    """How long an answer must be to be compressed for this Accept-Encoding. None: it never is."""
    if len(accept_encoding) > LONGEST_ASKED:
        return None
    weights = dict(_weighed(part) for part in accept_encoding.split(","))
    of_any = weights.get("*")
    gzip = weights.get("gzip", weights.get("x-gzip", of_any or 0.0))
    identity = weights.get("identity", 0.0)
    if gzip <= 0 or gzip < identity:
        return None
    refuses_identity = weights.get("identity", of_any) == 0
    return 1 if refuses_identity else LEAST_BYTES


def _weighed(part: str) -> tuple[str, float]:
    """A coding and its weight: 1 where none is given, 0 where that is not one."""
    coding, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = "1"
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            weight = value.strip()
    return coding, float(weight) if WEIGHT.fullmatch(weight) else 0.0
