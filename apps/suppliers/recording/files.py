"""A recording as a file: JSON, one exchange after the other, redacted."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from apps.suppliers.recording.redaction import SHORTEST, Redactor
from apps.suppliers.recording.tape import Taken


class NotClean(Exception):
    """Something that must not be in a recording is still in it: nothing was written."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """As it stands in the file. A body is JSON, or text where it is none; None where there is none."""

    method: str
    path: str
    query: dict[str, str]
    sent: Any
    status: int
    headers: Mapping[str, str]
    answered: Any


def exchange_of(taken: Taken) -> Exchange:
    address = urlsplit(taken.target)
    return Exchange(
        taken.method,
        address.path,
        dict(parse_qsl(address.query, keep_blank_values=True)),
        _body(taken.sent),
        taken.status,
        taken.headers,
        _body(taken.answered),
    )


def _body(raw: bytes) -> Any:
    """A form is an object, too."""
    if not raw:
        return None
    text = raw.decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        fields = dict(parse_qsl(text))
        return fields if fields and urlencode(fields) == text else text


def written(
    supplier: str,
    client_ref: str,
    taken: Iterable[Taken],
    *,
    secrets: Iterable[str],
    travellers: Iterable[str],
) -> str:
    """The file's text. Raises NotClean. `client_ref`: our reference of the booking in it, by which it is looked up."""
    known = [value for value in (*secrets, *travellers) if len(value) >= SHORTEST]
    redactor = Redactor(secrets)
    exchanges = [exchange_of(one) for one in taken]
    for one in exchanges:
        for part in (one.sent, one.answered, one.query):
            redactor.learn(part)
    told = {
        "supplier": supplier,
        "clientRef": client_ref,
        "exchanges": [_redacted(redactor, one) for one in exchanges],
    }
    text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    if left := [value for value in known if value.casefold() in text.casefold()]:
        raise NotClean(f"{len(left)} of what must not be told could not be replaced")
    return text


def _redacted(redactor: Redactor, one: Exchange) -> dict[str, Any]:
    return {
        "method": one.method,
        "path": redactor.text(one.path),
        "query": redactor.redacted(one.query),
        "sent": redactor.redacted(one.sent),
        "status": one.status,
        "headers": {name: redactor.text(value) for name, value in one.headers.items()},
        "answered": redactor.redacted(one.answered),
    }
