"""The JSON parser of /v1 (contract §2, step 11). It is strict where the standard library is lenient.

Refused with 400: a byte-order mark, duplicate names, NUL and lone surrogates at any depth, more than 32 levels, more than
1,000 names, a list of more than 1,000 items, more than 10,000 values, NaN and Infinity, numbers beyond a double, anything but
an object. Refused with 415: any type but application/json in UTF-8.

So the code after the parser (the claim's fingerprint, validation, the request log) never gets more than 10,000 values.
"""

import codecs
import json
import math
import re
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from django.utils.http import parse_header_parameters
from rest_framework.parsers import BaseParser

from apps.common.errors import InvalidRequest, PayloadTooLarge, UnsupportedMediaType
from apps.gateway.renderers import JSON

MAX_DEPTH = 32
MAX_NAMES = 1_000
MAX_ITEMS = 1_000  # in one list
MAX_VALUES = 10_000
"""In the whole body: the members of its objects and the items of its lists, at every depth."""
MAX_NUMBER_LENGTH = 64
TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""Every string of a body. One without a closing quote reaches to the end."""


# Media types that the log may name; any other may hold what a caller typed.
KNOWN_TYPES = frozenset(
    {
        *("application/x-www-form-urlencoded", "application/xml", "application/octet-stream"),
        *("application/problem+json", "application/vnd.api+json", "application/x-ndjson"),
        *("application/graphql", "application/soap+xml", "multipart/form-data"),
        *("text/plain", "text/html", "text/xml", "text/json", "text/csv"),
    }
)
NOT_UTF_8 = "The body is in an encoding other than plain UTF-8."


class StrictJSONParser(BaseParser):
    """The one parser of /v1. DRF's own takes duplicate names, NUL, NaN and bodies of any depth."""

    media_type = JSON

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, object]:
        """Raises UnsupportedMediaType, PayloadTooLarge or InvalidRequest."""
        sent: Mapping[str, str] = parser_context["request"].META if parser_context else {}
        try:
            raw = stream.read()
        except OSError:  # Django's word for a sender that went away
            raw = b""
        if len(raw) != int(sent.get("CONTENT_LENGTH") or 0):
            raise InvalidRequest("The body could not be read to its end.", ours=True)
        if len(raw) > settings.MAX_BODY_BYTES:
            raise PayloadTooLarge.above(settings.MAX_BODY_BYTES)
        refuse_other_types(sent)
        return parse(raw)


def refuse_other_types(sent: Mapping[str, str]) -> None:
    """Raises UnsupportedMediaType unless the type is application/json, in UTF-8 where it names a charset.

    `sent` has the headers by their names in `request.META`.
    """
    if sent.get("CONTENT_TYPE") != JSON:
        _refuse_other_type(sent)
    if sent.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise UnsupportedMediaType(
            "Send the body without Content-Encoding.",
            ours=True,
            why=NOT_UTF_8,
            headers={"Accept-Encoding": "identity"},
        )


def _refuse_other_type(sent: Mapping[str, str]) -> None:
    """The refusal names the type that is wanted in the header that the method has for it (RFC 9110 §15.5.16, RFC 5789 §2.2)."""
    wanted = {"Accept-Patch" if sent.get("REQUEST_METHOD") == "PATCH" else "Accept": JSON}
    media_type, parameters = parse_header_parameters(sent.get("CONTENT_TYPE", ""))
    if media_type.lower() != JSON:
        named = media_type.lower() if media_type.lower() in KNOWN_TYPES else "nothing known"
        raise UnsupportedMediaType(why=f"The Content-Type is {named}; it must be {JSON}.", headers=wanted)
    if parameters.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType(why=NOT_UTF_8, headers=wanted)


def parse(raw: bytes) -> dict[str, object]:
    """The object in `raw`; an empty body equals `{}` (contract §2, fine print). Raises InvalidRequest."""
    if not raw.strip():
        return {}
    if raw.startswith(codecs.BOM_UTF8):
        raise _refusal("must not begin with a byte-order mark")
    _refuse_too_many_values(raw)
    try:
        value = DECODER.decode(raw.decode("utf-8"))
    except RecursionError:
        raise _refusal(f"is nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError:
        raise _refusal("is not UTF-8") from None
    except ValueError as error:
        raise _refusal(f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _refusal("must be a JSON object")
    if not _is_small_and_plain(raw):
        _inspect(value)
    return value


def _is_small_and_plain(raw: bytes) -> bool:
    """Whether its length in commas and brackets alone says that nothing in a body is too deep or too many.

    Without an escape it has no NUL and no lone surrogate either: the decoders refuse both where they stand for themselves.
    """
    return (
        b"\\u" not in raw
        and raw.count(b",") < MAX_ITEMS - MAX_DEPTH
        and raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH
    )


def _refuse_too_many_values(raw: bytes) -> None:
    """Refuse far too many values before Python makes objects of them: 100,000 lists keep the garbage collector busy for long.

    The estimate counts the commas, which separate values, and the lists and objects, which are values except for the first. To
    leave out those inside strings takes long where there are many strings, so these are counted first: each is a value, or
    the name of one.
    """
    if _strings(raw) // 2 > MAX_VALUES or (
        _least_values(raw) > MAX_VALUES and _least_values(TEXTS.sub(b"", raw)) > MAX_VALUES
    ):
        raise _refusal(f"has more than {MAX_VALUES} values")


def _strings(raw: bytes) -> int:
    """At least so many strings are in a body. A quote after a backslash may belong to the text of one."""
    return (raw.count(b'"') - raw.count(b'\\"')) // 2


def _least_values(raw: bytes) -> int:
    """At least so many values are in a body whose strings have no such characters."""
    return max(raw.count(b","), raw.count(b"[") + raw.count(b"{") - 1)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(pairs) > MAX_NAMES:
        raise _refusal(f"has more than {MAX_NAMES} names")
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _refusal("names a property twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _float(text: str) -> float:
    number = float(text) if len(text) <= MAX_NUMBER_LENGTH else math.inf
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number


def _int(text: str) -> int:
    if len(text) > MAX_NUMBER_LENGTH:
        raise ValueError("a number is out of range")
    return int(text)


# Made once: `json.loads` would make one for each body.
DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_float, parse_int=_int
)


def _inspect(value: dict[str, object]) -> None:
    """Check depth, counts and every string, without recursion. The counts come first, so that too large a body ends early."""
    names = values = 0
    level: list[dict[str, object] | list[object]] = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            values += len(item)
            if isinstance(item, dict):
                names += len(item)
                below.extend(item)
                below.extend(item.values())
            else:
                if len(item) > MAX_ITEMS:
                    raise _refusal(f"has a list of more than {MAX_ITEMS} items")
                below.extend(item)
            if names > MAX_NAMES:
                raise _refusal(f"has more than {MAX_NAMES} names")
            if values > MAX_VALUES:
                raise _refusal(f"has more than {MAX_VALUES} values")
        for part in below:
            if isinstance(part, str):
                _refuse_bad_text(part)
        level = [part for part in below if isinstance(part, dict | list)]
        if not level:
            return
    raise _refusal(f"is nested deeper than {MAX_DEPTH} levels")


def _refuse_bad_text(text: str) -> None:
    if "\x00" in text:
        raise _refusal("contains a NUL character")
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _refusal("contains a lone surrogate") from None


def _refusal(what: str) -> InvalidRequest:
    return InvalidRequest(
        f"The request body {what}.", ours=True, details=[{"field": "", "message": f"The body {what}."}]
    )
