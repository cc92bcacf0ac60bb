"""What is left of a body for the request log: what the allow-list admits, and "•••" for everything else.

A traveller's name is hidden in `offerId` as well as in `firstName`, and a property that is not in the allow-list loses its name
too. Work and size are bounded: a body of 256 KiB costs no more than one of 4 KiB.
"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache

from apps.common.errors import GatewayError
from apps.gateway.envelope import doc_url
from apps.gateway.request_log.allow_list import allow_list, of_refusals
from apps.gateway.request_log.value_forms import Form

HIDDEN = "•••"
OMITTED = "…"
"""The name, or the item, that stands for what was left out for its length."""

MAX_BYTES = 4096
MAX_DEPTH = 8
COST_OF_A_PLACE = 16
"""A hidden value's bytes, with the quotes, colons and commas around it and its name."""
COST_OF_A_NUMBER = 24
OUTLINE = ("id", "reference", "status", "totalCents", "currency", "total", "remaining", "createdAt")

# What validation says of a field. A message that quotes what was sent has quotation marks in it, and is hidden.
IN_OUR_WORDS = re.compile(r"(?:must|is|has|was|needs)[A-Za-z0-9 ,.()_:/+`-]{0,200}")

DEFAULT_MESSAGES = frozenset(error.default_message for error in GatewayError.__subclasses__())
ERROR_TYPES = frozenset(error.type for error in GatewayError.__subclasses__())


HOLDING_OTHERS = (dict, list, tuple)  # made once: every value of every call is asked about
PRICE_OF_A_HIDDEN_NAME = len(HIDDEN) + COST_OF_A_PLACE


@cache
def _prices_of_names() -> Mapping[str, int]:
    """What each name of ours takes of a body's room, with its value's place."""
    return {name: len(name) + COST_OF_A_PLACE for name in allow_list().names}


class _Redactor:
    """One body's worth of room: everything is paid for by its length, and what cannot be paid for is omitted."""

    __slots__ = ("forms", "left", "opened", "prices")

    def __init__(self, forms: Mapping[str, Form]) -> None:
        self.forms = forms
        self.prices = _prices_of_names()
        self.opened = allow_list().opened
        self.left = MAX_BYTES - 2 * COST_OF_A_PLACE

    def properties(self, value: Mapping[str, object], depth: int) -> dict[str, object]:
        """Most kinds of values are judged here: to ask `value` about each takes half as long again."""
        found: dict[str, object] = {}
        prices, forms, opened, left = self.prices, self.forms, self.opened, self.left
        for name, below in value.items():
            price = prices.get(name)
            if price is None:
                shown, price = HIDDEN, PRICE_OF_A_HIDDEN_NAME
            else:
                shown = name
            left -= price
            if left < 0:
                found[OMITTED] = True
                break
            kind = type(below)
            if kind is str or kind is int:
                has_form = forms.get(shown)
                if has_form is not None and has_form(below):
                    left -= len(below) if kind is str else COST_OF_A_NUMBER  # type: ignore[arg-type]  # it is a text
                    found[shown] = below
                else:
                    found[shown] = HIDDEN
            elif below is None or kind is bool:
                found[shown] = below
            else:
                self.left = left
                is_looked_into = kind is dict and depth < MAX_DEPTH and shown in opened
                found[shown] = (
                    self.properties(below, depth + 1)  # type: ignore[arg-type]  # it is an object
                    if is_looked_into
                    else self.value(shown, below, depth)
                )
                left = self.left
        self.left = left
        return found

    def value(self, name: str, value: object, depth: int) -> object:
        """`value` as the property `name` may show it."""
        if value is None or value is True or value is False:
            return value
        if isinstance(value, HOLDING_OTHERS):
            if name not in self.opened or depth == MAX_DEPTH:
                return HIDDEN
            return (
                self.properties(value, depth + 1)
                if isinstance(value, dict)
                else self.items(name, value, depth + 1)
            )
        has_form = self.forms.get(name)
        if has_form is None or not has_form(value):
            return HIDDEN
        self.left -= len(value) if isinstance(value, str) else COST_OF_A_NUMBER
        return value

    def items(self, name: str, value: Sequence[object], depth: int) -> list[object]:
        found: list[object] = []
        looks_into = name in self.opened and depth < MAX_DEPTH
        for below in value:
            self.left -= COST_OF_A_PLACE
            if self.left < 0:
                found.append(OMITTED)
                break
            if type(below) is dict and looks_into:
                found.append(self.properties(below, depth + 1))
            else:
                found.append(self.value(name, below, depth))
        return found


def redact(body: object) -> dict[str, object] | None:
    """A JSON object with only what may be kept of it; None for nothing, and for what is no object."""
    return _redacted(body, allow_list().forms)


def outline(body: object) -> dict[str, object] | None:
    """The few properties on the first level that say what the answer was."""
    if not isinstance(body, dict):
        return None
    forms = allow_list().forms
    found: dict[str, object] = {}
    for name in OUTLINE:
        value = body.get(name)
        if value is not None and forms[name](value):
            found[name] = value
    return found or None


def redact_refusal(body: object, own_texts: Set[str]) -> dict[str, object] | None:
    """An error's envelope: as any body, with its messages where they are in our own words.

    `own_texts` are those of them in which no word is a caller's or a supplier's. A type's default message is known to be ours.
    """
    if not isinstance(body, dict):
        return None
    told = body.get("error")
    message = told.get("message") if isinstance(told, dict) else None
    ours = DEFAULT_MESSAGES | own_texts

    def is_own_message(value: object) -> bool:
        if not isinstance(value, str):
            return False
        return value in ours or (value != message and IN_OUR_WORDS.fullmatch(value) is not None)

    return _redacted(body, {**_forms_in_refusals(), "message": is_own_message})


@cache
def _forms_in_refusals() -> Mapping[str, Form]:
    """By name. The form of a path and that of an error's page are not a field's own."""
    forms = {**allow_list().forms, **of_refusals().forms}
    return {**forms, "field": allow_list().is_known_path, "docUrl": _is_own_page}


def _is_own_page(value: object) -> bool:
    """Whether it is exactly the address of an error's page."""
    if not isinstance(value, str):
        return False
    error_type = value.rpartition("/")[2]
    return error_type in ERROR_TYPES and value == doc_url(error_type)


def _redacted(body: object, forms: Mapping[str, Form]) -> dict[str, object] | None:
    if not isinstance(body, dict) or not body:
        return None
    return _Redactor(forms).properties(body, 0)


def redact_path(dotted: str) -> str:
    """`slices.0.origin` as it is; a step that is no name of ours, because somebody typed it, is hidden."""
    is_known = allow_list().is_known_path
    return ".".join(step if is_known(step) else HIDDEN for step in dotted.split(".")[:MAX_DEPTH])
