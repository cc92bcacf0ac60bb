"""Recordings of real exchanges with suppliers, redacted, as files for tests (`manage.py record_supplier`).

Travellers and secrets are replaced, each always by the same, so that what belongs together still does. A value is replaced
because of its field's name or its form (a mail address, a phone number), and then wherever else it occurs. What was known before
(credentials, the traveller that we made up) is looked for everywhere.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

LIMITS = ("ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")
KEPT_HEADERS = ("content-type", "retry-after", *LIMITS, "date")
"""The others may hold keys, cookies and ids of our account."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One exchange. `target` is path and query, without the address."""

    method: str
    target: str
    sent: bytes
    status: int
    headers: dict[str, str]
    answered: bytes


_tape: ContextVar[list[Taken] | None] = ContextVar("tape", default=None)


@contextmanager
def recording() -> Iterator[list[Taken]]:
    tape: list[Taken] = []
    token = _tape.set(tape)
    try:
        yield tape
    finally:
        _tape.reset(token)


def take_down(
    method: str, target: str, sent: bytes, status: int, headers: Mapping[str, str], answered: bytes
) -> None:
    """Called with each exchange; it does nothing outside `recording`."""
    tape = _tape.get()
    if tape is not None:
        kept = {name: headers[name] for name in KEPT_HEADERS if name in headers}
        tape.append(Taken(method, target, sent, status, kept, answered))


PERSON_IN = re.compile(r"holder|guests?|passengers?|leadpassenger|contact|travellers?|customer")
NAMES = {"givenname", "familyname", "firstname", "lastname", "surname", "middlename"}
BORN = {"bornon", "dateofbirth", "birthdate", "dob"}
MAILS = {"email", "toemail", "mail"}
PHONES = {"phone", "phonenumber", "telephone", "mobile"}
_SECRETS = """
    accesstoken token apikey clientid clientsecret secret password authorization iccid imsis msisdn lpa
    matchingid qrcode qrcodeurl directappleinstallationurl confirmationcode hotelconfirmationcode
    bookingreference uniqueidentifier accountnumber identityorganisationid vatnumber
"""
SECRETS = frozenset(_SECRETS.split())
"""Anyone who has one can use it: a profile, a ticket, our account."""
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"\+\d{8,15}")
SHORTEST = 4  # what is shorter is not looked for inside other texts: it would be found everywhere

Make = Callable[[int, str], str]


def mail(number: int, _was: str) -> str:
    return f"person-{number}@example.com"


def phone(number: int, _was: str) -> str:
    return f"+1555010{number:04}"


def name(number: int, _was: str) -> str:
    """In Latin letters alone, as airlines want them."""
    return "Person " + "".join(chr(ord("A") + int(digit)) for digit in str(number))


def born(_number: int, _was: str) -> str:
    return "1990-01-01"


def secret(number: int, was: str) -> str:
    """As long as it was, where it was digits: those have a form."""
    if was.isdecimal():
        return f"{number:0{len(was)}}"
    if was.startswith("LPA:1$"):
        return f"LPA:1$smdp.example$REDACTED-{number}"
    return f"redacted-{number}"


class Redactor:
    def __init__(self, known: Iterable[str] = ()) -> None:
        self._replaced: dict[str, str] = {}
        for value in known:
            if len(value) >= SHORTEST:
                self.replacement(value, secret)

    def replacement(self, was: str, make: Make) -> str:
        if not was:
            return was
        return self._replaced.setdefault(was, make(len(self._replaced) + 1, was))

    def learn(self, value: Any, field: str = "", inside: str = "") -> None:
        """Find what is to be replaced. `inside`: the field that the object stands in."""
        if isinstance(value, Mapping):
            for key, part in value.items():
                self.learn(part, _plain(key), field or inside)
        elif isinstance(value, list):
            for part in value:
                self.learn(part, field, inside)
        elif isinstance(value, str | int) and not isinstance(value, bool):
            if make := _maker(field, inside):
                self.replacement(str(value), make)
            for found in MAIL.findall(str(value)):
                self.replacement(found, mail)
            for found in PHONE.findall(str(value)):
                self.replacement(found, phone)

    def redacted(self, value: Any, field: str = "", inside: str = "") -> Any:
        if isinstance(value, Mapping):
            return {
                self.text(key): self.redacted(part, _plain(key), field or inside)
                for key, part in value.items()
            }
        if isinstance(value, list):
            return [self.redacted(part, field, inside) for part in value]
        if isinstance(value, str):
            return self._replaced.get(value) or self.text(value)
        if isinstance(value, int) and not isinstance(value, bool) and _maker(field, inside):
            return int(self._replaced[str(value)])
        return value

    def text(self, text: str) -> str:
        for was in sorted(self._replaced, key=len, reverse=True):
            if len(was) >= SHORTEST and was in text:
                text = text.replace(was, self._replaced[was])
        return text


def _plain(key: str) -> str:
    """`given_name` and `givenName` are one."""
    return re.sub(r"[^a-z]", "", key.lower())


def _maker(field: str, inside: str) -> Make | None:
    if field in MAILS:
        return mail
    if field in PHONES:
        return phone
    if field in BORN:
        return born
    if field in NAMES or (field == "name" and PERSON_IN.fullmatch(inside)):
        return name
    return secret if field in SECRETS else None


class NotClean(Exception):
    """Something that must not be in a recording is still in it: nothing was written."""


def _as_json(taken: Taken) -> dict[str, Any]:
    """As it is in the file. A body is JSON, or text if it is not JSON; None if it is empty."""
    address = urlsplit(taken.target)
    return {
        "method": taken.method,
        "path": address.path,
        "query": dict(parse_qsl(address.query, keep_blank_values=True)),
        "sent": _body(taken.sent),
        "status": taken.status,
        "headers": taken.headers,
        "answered": _body(taken.answered),
    }


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
    exchanges = [_as_json(one) for one in taken]
    for one in exchanges:
        for part in ("sent", "answered", "query"):
            redactor.learn(one[part])
    content = {"supplier": supplier, "clientRef": client_ref, "exchanges": redactor.redacted(exchanges)}
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    if left := [value for value in known if value.casefold() in text.casefold()]:
        raise NotClean(f"{len(left)} values that must not be written could not be replaced")
    return text
