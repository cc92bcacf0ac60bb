"""What is left of a body for the request log: what the allow-list admits, and "•••" for everything else.

A traveller's name is hidden in `offerId` as well as in `firstName`, and a property that is not in the allow-list loses its name
too. Work and size are bounded: a body of 256 KiB costs no more than one of 4 KiB.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple

from apps.common.errors import GatewayError
from apps.gateway.envelope import doc_url
from apps.gateway.request_log.allow_list import allow_list, of_refusals
from apps.gateway.request_log.value_forms import Form, judge_of_texts

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


class _Known(NamedTuple):
    """What is known of a property by its name."""

    shown: str
    price: int
    """What the name takes of a body's room, with its value's place."""
    of_text: Callable[[str], object] | None
    """Whether a text has the form of values that are kept; None where none has."""
    form: Form | None
    opened: bool
    """Whether an object or a list is looked into."""


UNKNOWN = _Known(HIDDEN, len(HIDDEN) + COST_OF_A_PLACE, None, None, opened=False)
KnownNames = Mapping[str, _Known]


def _known(forms: Mapping[str, Form]) -> dict[str, _Known]:
    """All that is asked of a name, found in one look: a booking has a hundred and thirty values."""
    listed = allow_list()
    return {
        name: _Known(
            name,
            len(name) + COST_OF_A_PLACE,
            judge_of_texts(forms.get(name)),
            forms.get(name),
            name in listed.opened,
        )
        for name in listed.names
    }


class _Redactor:
    """One body's worth of room: everything is paid for by its length, and what cannot be paid for is omitted."""

    __slots__ = ("known", "left")

    def __init__(self, known: KnownNames) -> None:
        self.known = known
        self.left = MAX_BYTES - 2 * COST_OF_A_PLACE

    def properties(self, value: Mapping[str, object], depth: int) -> dict[str, object]:
        """Most kinds of values are judged here: to ask `value` about each takes half as long again."""
        found: dict[str, object] = {}
        look_up, left = self.known.get, self.left
        for name, below in value.items():
            known = look_up(name, UNKNOWN)
            shown, price, of_text, form, opened = known
            left -= price
            if left < 0:
                found[OMITTED] = True
                break
            kind = type(below)
            if kind is str:
                if of_text is not None and of_text(below):  # type: ignore[arg-type]  # it is a text
                    left -= len(below)  # type: ignore[arg-type]
                    found[shown] = below
                else:
                    found[shown] = HIDDEN
            elif below is None or kind is bool:
                found[shown] = below
            elif kind is int:
                if form is not None and form(below):
                    left -= COST_OF_A_NUMBER
                    found[shown] = below
                else:
                    found[shown] = HIDDEN
            else:
                self.left = left
                found[shown] = (
                    self.properties(below, depth + 1)  # type: ignore[arg-type]  # it is an object
                    if kind is dict and depth < MAX_DEPTH and opened
                    else self.value(known, below, depth)
                )
                left = self.left
        self.left = left
        return found

    def value(self, known: _Known, value: object, depth: int) -> object:
        """`value` as the property may show it."""
        if value is None or value is True or value is False:
            return value
        if isinstance(value, HOLDING_OTHERS):
            if not known.opened or depth == MAX_DEPTH:
                return HIDDEN
            return (
                self.properties(value, depth + 1)
                if isinstance(value, dict)
                else self.items(known, value, depth + 1)
            )
        if known.form is None or not known.form(value):
            return HIDDEN
        self.left -= len(value) if isinstance(value, str) else COST_OF_A_NUMBER
        return value

    def items(self, known: _Known, value: Sequence[object], depth: int) -> list[object]:
        found: list[object] = []
        looks_into = depth < MAX_DEPTH
        for below in value:
            self.left -= COST_OF_A_PLACE
            if self.left < 0:
                found.append(OMITTED)
                break
            if type(below) is dict and looks_into:
                found.append(self.properties(below, depth + 1))
            else:
                found.append(self.value(known, below, depth))
        return found


def redact(body: object) -> dict[str, object] | None:
    """A JSON object with only what may be kept of it; None for nothing, and for what is no object."""
    return _redacted(body, _known_in_bodies())


def outline(values: Sequence[object]) -> dict[str, object]:
    """Those of an answer's properties that OUTLINE names, given in its order, as far as they may be kept."""
    found: dict[str, object] = {}
    for known, value in zip(_known_in_outlines(), values, strict=True):
        if value is not None:
            judge = known.of_text if type(value) is str else known.form
            if judge is not None and judge(value):  # type: ignore[arg-type]  # a text, for `of_text`
                found[known.shown] = value
    return found


def redact_refusal(body: object, own_texts: Set[str]) -> dict[str, object] | None:
    """An error's envelope: as any body, with its messages where they are in our own words.

    `own_texts` are those of them in which no word is a caller's or a supplier's. A type's default message is known to be ours.
    """
    if not isinstance(body, dict):
        return None
    told = body.get("error")
    message = told.get("message") if isinstance(told, dict) else None
    ours = DEFAULT_MESSAGES | own_texts

    def is_own_message(value: str) -> bool:
        return value in ours or (value != message and IN_OUR_WORDS.fullmatch(value) is not None)

    known = _known_in_refusals()
    own = known["message"]._replace(of_text=is_own_message)
    return _redacted(body, {**known, "message": own})


@cache
def _known_in_outlines() -> tuple[_Known, ...]:
    return tuple(_known_in_bodies()[name] for name in OUTLINE)


@cache
def _known_in_bodies() -> KnownNames:
    return _known(allow_list().forms)


@cache
def _known_in_refusals() -> KnownNames:
    """The form of a path and that of an error's page are not a field's own."""
    forms = {**allow_list().forms, **of_refusals().forms}
    return _known({**forms, "field": allow_list().is_known_path, "docUrl": _is_own_page})


def _is_own_page(value: object) -> bool:
    """Whether it is exactly the address of an error's page."""
    if not isinstance(value, str):
        return False
    error_type = value.rpartition("/")[2]
    return error_type in ERROR_TYPES and value == doc_url(error_type)


def _redacted(body: object, known: KnownNames) -> dict[str, object] | None:
    if not isinstance(body, dict) or not body:
        return None
    return _Redactor(known).properties(body, 0)


def redact_path(dotted: str) -> str:
    """`slices.0.origin` as it is; a step that is no name of ours, because somebody typed it, is hidden."""
    is_known = allow_list().is_known_path
    return ".".join(step if is_known(step) else HIDDEN for step in dotted.split(".")[:MAX_DEPTH])
