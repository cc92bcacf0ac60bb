"""What a person pastes, read kindly: headers from a log, a dump of a dict, a curl line; a body as text, base64 or hex."""

import base64
import re
from collections.abc import Sequence

TEXT, BASE64, HEX = "text", "base64", "hex"

NAMED = re.compile(r"""\s*(?:-H\s+)?["']?([A-Za-z][A-Za-z0-9_-]*)["']?\s*(?::|=>)\s?(.*)""", re.DOTALL)
Headers = Sequence[tuple[str, str]]


def headers_of(text: str) -> Headers:
    """Names as on the wire, small, and values as they stand. A line without a name belongs to the one before it.

    A value alone, without any name, gets the name of the header that it looks like.
    """
    found: list[tuple[str, str]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        named = NAMED.fullmatch(line)
        if named:
            found.append((_wire_name(named[1]), _unquoted(named[2])))
        elif line.strip(" {}[]();,\t") and found:
            name, value = found[-1]
            found[-1] = (name, f"{value}\n{line.strip()}")
        elif (alone := name_by_look(line)) is not None:
            found.append((alone, line.strip()))
    return found


def name_by_look(value: str) -> str | None:
    """The signature header that a value looks like; None for any other value."""
    if re.match(r"\s*[tT]\s*=\s*[0-9]+\s*,|\s*[vV]1\s*=\s*[0-9a-fA-F]{16}", value):
        return "x-service-signature"
    return "webhook-signature" if re.match(r"\s*v1\s*,\s*[A-Za-z0-9+/_=-]{16}", value) else None


def value_of(headers: Headers, name: str) -> str | None:
    return next((value for each, value in headers if each == name), None)


def body_of(text: str, written_as: str) -> bytes:
    """The bytes that `text` stands for. Raises ValueError where it is not base64 or hex.

    Browsers send line breaks of a text field as CR LF, so one of them stands for LF.
    """
    if written_as == TEXT:
        return text.replace("\r\n", "\n").encode()
    compact = "".join(text.split())
    return bytes.fromhex(compact) if written_as == HEX else base64.b64decode(compact, validate=True)


def _wire_name(name: str) -> str:
    """Environments of WSGI, CGI and PHP call it HTTP_X_SERVICE_SIGNATURE."""
    return name.lower().replace("_", "-").removeprefix("http-")


def _unquoted(value: str) -> str:
    """Without the quotes and the comma of a dump, where it begins with a quote."""
    bare = value.strip().removesuffix(",").removesuffix("\\").strip()
    if quoted := re.fullmatch(r"""(["'])(.*)\1""", bare, re.DOTALL):
        return quoted[2]
    return bare.removesuffix("'") if bare.count("'") == 1 else value.strip(" \t\r")
