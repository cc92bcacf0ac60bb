"""What the request log keeps of a call's bodies, headers and query: what the allow-list admits, and "•••" for everything else.

The allow-list is read from the serializers once a process. A field with `logged=True` is kept if its value has the field's form
(`apps.gateway.value_forms`); an object or a list with `logged=True` is descended into. Of any other field only the name is kept,
and a property that no serializer declares loses its name too. A name means the same in all bodies, so a traveller's name is
hidden in `offerId` as well as in `firstName`. Work and size are bounded: a body of 256 KiB costs no more than one of 4 KiB.

A User-Agent and an Idempotency-Key are the caller's own words. They may contain a traveller's name or an API key.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NamedTuple

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured, SuspiciousOperation
from django.http import HttpRequest
from rest_framework.serializers import ListField, ListSerializer, Serializer

import apps
from apps.common.errors import GatewayError
from apps.gateway import pagination, sandbox
from apps.gateway.declared import Declared, fields_of
from apps.gateway.exceptions import doc_url
from apps.gateway.operations import MOST_NAMED, Operation, ignored_parameters
from apps.gateway.serializers import AnswerBody, Body, DetailBody, Envelope, ErrorBody
from apps.gateway.value_forms import HIDDEN, OWN_ID, Form, any_of

OMITTED = "…"
"""The name or the item that stands for what was left out for its length."""

MAX_BYTES = 4096
MAX_DEPTH = 8
COST_OF_A_PLACE = 16
"""A hidden value's bytes, with the quotes, colons and commas around it and its name."""
COST_OF_A_NUMBER = 24
OUTLINE = ("id", "reference", "status", "totalCents", "currency", "total", "remaining", "createdAt")

REFUSALS = (Envelope, ErrorBody, DetailBody)
# The validation's own wording. A message that quotes what was sent has quotation marks in it, and is hidden.
IN_OUR_WORDS = re.compile(r"(?:must|is|has|was|needs)[A-Za-z0-9 ,.()_:/+`-]{0,200}")
DEFAULT_MESSAGES = frozenset(error.default_message for error in GatewayError.__subclasses__())
ERROR_TYPES = frozenset(error.type for error in GatewayError.__subclasses__())

# Details of an error may name these too. Every other query parameter has the name of a field.
NAMES_IN_REQUESTS = {
    sandbox.HEADER,
    *(parameter.name for parameter in pagination.PAGE_PARAMETERS),
    "updatedSince",  # declared by the bookings, a layer above
}

MAX_HEADER = 200
SECRET = re.compile(r"svc_(?:live|test)_|whsec_", re.IGNORECASE)
# `acme-booking/1.2`: a product and its version. Anything in brackets, or without a version, is free text.
PRODUCT = re.compile(
    r"[A-Za-z][A-Za-z0-9._-]{0,30}/v?[0-9]{1,5}(?:\.[0-9]{1,6}){0,4}(?:[-+.]?[a-z]{1,6}[0-9]{0,4})?"
)
MAX_PRODUCTS = 5
# Random values identify no person: UUIDs, hashes, ULIDs, ids like our own.
RANDOM_KEY = re.compile(
    rf"(?i:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}|[0-9a-f]{{32}}|[0-9a-f]{{40}}|[0-9a-f]{{64}}|[0-7][0-9a-hjkmnp-tv-z]{{25}})"
    rf"|{OWN_ID}"
)
# `hotelIds[]`, `check_in`, `page.size`: an identifier with fewer digits than a telephone number or a document has.
PARAMETER = re.compile(r"(?!.*[0-9]{5})[A-Za-z_][A-Za-z0-9_.\[\]-]{0,39}")
DIGITS = re.compile(r"[0-9]{1,6}")
WITHOUT_MARKS = str.maketrans("", "", "_-[]")


@dataclass(frozen=True, slots=True)
class AllowList:
    """`forms` of the values that are kept, by name; the names of objects and lists that are `opened`; all declared `names`."""

    forms: Mapping[str, Form]
    opened: frozenset[str]
    names: frozenset[str]

    def is_known_path(self, value: object) -> bool:
        """Whether each step of a path such as `slices.0.origin` is a declared name or a position."""
        return isinstance(value, str) and all(
            step in self.names or (step.isdigit() and len(step) < 4) for step in value.split(".")
        )


@cache
def allow_list() -> AllowList:
    """Of all bodies. Raises ImproperlyConfigured for a field with `logged=True` that has no form."""
    bodies = _declared_by(_all_bodies() - set(REFUSALS))
    refusals = allow_list_of_refusals()
    return AllowList(
        {**refusals.forms, **bodies.forms},
        bodies.opened | refusals.opened,
        bodies.names | refusals.names | NAMES_IN_REQUESTS,
    )


@cache
def allow_list_of_refusals() -> AllowList:
    """Of the error envelope."""
    return _declared_by(set(REFUSALS))


def logged_without_a_form() -> list[str]:
    """`Body.field` of each field with `logged=True` that has no form, of all bodies."""
    return sorted(
        f"{body.__name__}.{name}"
        for body in _all_bodies()
        for name, field in _fields_of(body).items()
        if _is_logged(field) and not _holds_others(field) and not field.log_form()
    )


@register()
def logged_fields_have_a_form(**kwargs: Any) -> list[CheckMessage]:
    """Without it the first call would find out, when it is to be logged, and no call would be."""
    return [
        Error(
            f"{field} is declared with logged=True but has no form: the request log could not tell "
            "its values from free text, which may name a traveller.",
            hint="Use a field of apps.gateway.fields that has a form, give its class one from "
            "apps.gateway.value_forms, or leave logged=True out.",
            id="request_log.E001",
        )
        for field in logged_without_a_form()
    ]


def _all_bodies() -> set[type[Serializer[Any]]]:
    for module in walk_packages(apps.__path__, "apps."):
        if module.name.endswith(".serializers"):
            import_module(module.name)  # a class is known once its module was imported
    return {*REFUSALS, *_subclasses(Body), *_subclasses(AnswerBody)}


def _declared_by(bodies: set[type[Serializer[Any]]]) -> AllowList:
    names, opened, forms = set[str](), set[str](), dict[str, list[Form]]()
    for body in bodies:
        for name, field in _fields_of(body).items():
            names.add(name)
            if not _is_logged(field):
                continue
            if _holds_others(field):
                opened.add(name)
            if form := field.log_form():
                forms.setdefault(name, []).append(form)
            elif not _holds_others(field):
                raise ImproperlyConfigured(f"{body.__name__}.{name} has no form, and cannot be logged")
    return AllowList(
        {name: any_of(several) for name, several in forms.items()}, frozenset(opened), frozenset(names)
    )


def _fields_of(body: type[Serializer[Any]]) -> dict[str, Any]:
    """The fields by name; of a list of objects, the object."""
    return {
        name: field.child if isinstance(field, ListSerializer) else field
        for name, field in fields_of(body()).items()
    }


def _is_logged(field: Any) -> bool:
    return isinstance(field, Declared) and field.logged


def _holds_others(field: Any) -> bool:
    return isinstance(field, Serializer | ListField)


def _subclasses(base: type[Serializer[Any]]) -> Iterator[type[Serializer[Any]]]:
    for below in base.__subclasses__():
        yield below
        yield from _subclasses(below)


class _Known(NamedTuple):
    name: str
    form: Form | None
    opened: bool


KnownNames = Mapping[str, _Known]
UNKNOWN = _Known(HIDDEN, None, opened=False)


class _Redactor:
    """Redacts one body. Everything counts towards MAX_BYTES by its length; what exceeds them is omitted."""

    def __init__(self, known: KnownNames) -> None:
        self._known = known
        self._left = MAX_BYTES - 2 * COST_OF_A_PLACE

    def properties(self, value: Mapping[str, object], depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, below in value.items():
            known = self._known.get(name, UNKNOWN)
            self._left -= len(known.name) + COST_OF_A_PLACE
            if self._left < 0:
                found[OMITTED] = True
                break
            found[known.name] = self._value(known, below, depth)
        return found

    def _value(self, known: _Known, value: object, depth: int) -> object:
        if value is None or value is True or value is False:
            return value
        if isinstance(value, dict | list | tuple):
            if not known.opened or depth == MAX_DEPTH:
                return HIDDEN
            if isinstance(value, dict):
                return self.properties(value, depth + 1)
            return self._items(known, value, depth + 1)
        if known.form is None or not known.form(value):
            return HIDDEN
        self._left -= len(value) if isinstance(value, str) else COST_OF_A_NUMBER
        return value

    def _items(self, known: _Known, value: Sequence[object], depth: int) -> list[object]:
        found: list[object] = []
        for below in value:
            self._left -= COST_OF_A_PLACE
            if self._left < 0:
                found.append(OMITTED)
                break
            if isinstance(below, dict) and depth < MAX_DEPTH:
                found.append(self.properties(below, depth))
            else:
                found.append(self._value(known, below, depth))
        return found


def redact(body: object) -> dict[str, object] | None:
    """A JSON object with only what may be kept of it; None for an empty one and for anything else."""
    return _Redactor(_known_in_bodies()).properties(body, 0) if body and isinstance(body, dict) else None


def outline(body: object) -> dict[str, object] | None:
    """Those properties of an answer that OUTLINE names, as far as they may be kept; None if there are none."""
    if not isinstance(body, dict):
        return None
    forms = allow_list().forms
    return {name: body[name] for name in OUTLINE if name in body and forms[name](body[name])} or None


def redact_refusal(body: object, own_texts: Set[str]) -> dict[str, object] | None:
    """An error's envelope: as any body, with its messages if they are in our own words.

    `own_texts` are those of them without a word of the caller or a supplier. A type's default message is known to be ours.
    """
    if not isinstance(body, dict) or not body:
        return None
    error = body.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    ours = DEFAULT_MESSAGES | own_texts

    def is_own_message(value: object) -> bool:
        return isinstance(value, str) and (
            value in ours or (value != message and IN_OUR_WORDS.fullmatch(value) is not None)
        )

    known = _known_in_refusals()
    return _Redactor({**known, "message": known["message"]._replace(form=is_own_message)}).properties(body, 0)


@cache
def _known_in_bodies() -> KnownNames:
    return _known(allow_list().forms)


@cache
def _known_in_refusals() -> KnownNames:
    """A detail's path and the address of an error's page have forms that their fields do not declare."""
    forms = {**allow_list().forms, **allow_list_of_refusals().forms}
    return _known({**forms, "field": allow_list().is_known_path, "docUrl": _is_own_page})


def _known(forms: Mapping[str, Form]) -> KnownNames:
    listed = allow_list()
    return {name: _Known(name, forms.get(name), name in listed.opened) for name in listed.names}


def _is_own_page(value: object) -> bool:
    if not isinstance(value, str):
        return False
    error_type = value.rpartition("/")[2]
    return error_type in ERROR_TYPES and value == doc_url(error_type)


def redact_path(dotted: str) -> str:
    """`slices.0.origin` as it is; a step that is no declared name is hidden, because a caller typed it."""
    is_known = allow_list().is_known_path
    return ".".join(step if is_known(step) else HIDDEN for step in dotted.split(".")[:MAX_DEPTH])


@lru_cache(1_024)
def user_agent_to_log(sent: str) -> str:
    """The products that it names, with their versions; "•••" if it has another form."""
    if not sent.strip():
        return ""
    if SECRET.search(sent):
        return HIDDEN
    named = [word for word in sent.split() if PRODUCT.fullmatch(word)]
    return " ".join(named[:MAX_PRODUCTS])[:MAX_HEADER] or HIDDEN


def key_to_log(sent: str) -> str:
    """An Idempotency-Key as it is if it is random, else its digest, by which the same key is recognised.

    The digest is keyed with SECRET_KEY, so that what was typed cannot be guessed.
    """
    if not sent or RANDOM_KEY.fullmatch(sent):
        return sent
    secret = settings.SECRET_KEY.encode()[:64]
    return HIDDEN + hashlib.blake2b(sent.encode(), key=secret, digest_size=8).hexdigest()


def query_of(request: HttpRequest, route: Operation) -> str:
    """The parameters that the operation knows, each with its value if that has the parameter's form, or is one of its words."""
    known = {parameter.name: parameter.schema.get("enum", ()) for parameter in route.query}
    try:
        sent = request.GET.items()
    except SuspiciousOperation:  # more parameters than Django reads: the call was rejected for it
        return HIDDEN
    pairs = []
    for name, value in sent:
        if name in known:
            words = known[name]
            is_word = isinstance(words, Sequence) and value in words
            pairs.append(f"{name}={value if is_word or _may_show(name, value) else HIDDEN}")
    return "&".join(pairs)[:255]


def ignored_of(request: HttpRequest, route: Operation) -> str:
    """The parameters that the operation does not know, without their values.

    A name is shown if it is one of ours but for its case, `_`, `-` and brackets, or a word as programs name parameters.
    Anything else may be a value.
    """
    sent = ignored_parameters(request, route.query)[:MOST_NAMED]
    return ", ".join(dict.fromkeys(name if _is_name(name) else HIDDEN for name in sent))[:255]


def _is_name(name: str) -> bool:
    is_word = PARAMETER.fullmatch(name) is not None and SECRET.search(name) is None
    return is_word or _plain(name) in _own_names()


@cache
def _own_names() -> frozenset[str]:
    return frozenset(_plain(name) for name in allow_list().names)


def _plain(name: str) -> str:
    return name.lower().translate(WITHOUT_MARKS) if len(name) <= MAX_HEADER else name


def _may_show(name: str, value: object) -> bool:
    if not isinstance(value, str):
        return False
    if name in {"limit", "page", "pageSize"}:
        return DIGITS.fullmatch(value) is not None
    if name == "cursor":
        return pagination.is_own_cursor(value)
    has_form = allow_list().forms.get(name)
    if has_form is None:
        return False
    return has_form(value) or (name == "status" and has_form(value.upper()))  # deliveries take it in any case
