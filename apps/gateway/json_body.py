"""The one JSON parser of /v1 (contract §2, step 11): strict where the standard library is lenient.

Refused with 400: a byte-order mark, duplicate names, NUL and lone surrogates at any depth, more than 32 levels, more than
1,000 names, NaN and Infinity, numbers beyond a double, anything but an object. Refused with 415: any type but
application/json in UTF-8.
"""

import codecs
import json
import math
from collections.abc import Iterator
from typing import NoReturn

from django.http.request import HttpHeaders
from django.utils.http import parse_header_parameters

from apps.gateway.errors import InvalidRequest, UnsupportedMediaType

MAX_DEPTH = 32
MAX_NAMES = 1_000
MAX_NUMBER_LENGTH = 64


def refuse_other_types(headers: HttpHeaders) -> None:
    """415 unless the body says it is application/json, in UTF-8 where it names a charset."""
    media_type, parameters = parse_header_parameters(headers.get("Content-Type") or "")
    if media_type.lower() != "application/json":
        raise UnsupportedMediaType
    if parameters.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType
    if headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnsupportedMediaType("Send the body without Content-Encoding.")


def parse(raw: bytes) -> dict[str, object]:
    """The object that `raw` holds; nothing at all equals `{}` (contract §2, fine print)."""
    if not raw.strip():
        return {}
    if raw.startswith(codecs.BOM_UTF8):
        raise _refusal("must not begin with a byte-order mark")
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except RecursionError:
        raise _refusal(f"is nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError:
        raise _refusal("is not UTF-8") from None
    except ValueError as error:
        raise _refusal(f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _refusal("must be a JSON object")
    _inspect(value)
    return value


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
    number = float(text)
    if len(text) > MAX_NUMBER_LENGTH or not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number


def _int(text: str) -> int:
    if len(text) > MAX_NUMBER_LENGTH:
        raise ValueError("a number is out of range")
    return int(text)


def _inspect(value: dict[str, object]) -> None:
    """Depth, the count of names, and every text, without recursion."""
    names = 0
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                names += len(item)
            below.extend(_parts(item))
        for item in below:
            if isinstance(item, str):
                _refuse_bad_text(item)
        level = [item for item in below if isinstance(item, dict | list)]
        if names > MAX_NAMES:
            raise _refusal(f"has more than {MAX_NAMES} names")
        if not level:
            return
    raise _refusal(f"is nested deeper than {MAX_DEPTH} levels")


def _parts(item: object) -> Iterator[object]:
    if isinstance(item, dict):
        yield from item.keys()
        yield from item.values()
    elif isinstance(item, list):
        yield from item


def _refuse_bad_text(text: str) -> None:
    if "\x00" in text:
        raise _refusal("contains a NUL character")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _refusal("contains a lone surrogate") from None


def _refusal(what: str) -> InvalidRequest:
    return InvalidRequest(
        f"The request body {what}.", details=[{"field": "", "message": f"The body {what}."}]
    )
