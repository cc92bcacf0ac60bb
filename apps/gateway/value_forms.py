"""The forms a value may have for the request log to keep it: an id, a code, a date, a word of a closed set, a small number.

No form admits free text, so that no name, address, telephone number or secret of a caller is kept. The name of a place that is
searched for is the one exception: without it a partner could not find their own search again.
"""

import re
from collections.abc import Callable, Collection, Iterable

NUMBERS = (int, float)
HIDDEN = "•••"
METHODS = frozenset(
    {
        *("GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE", "TRACE", "CONNECT"),
        *("PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"),
    }
)
Form = Callable[[object], bool]

OWN_ID = r"[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26,36}"
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
BOOKING_REFERENCE = r"[HFTE]-[2-9A-HJ-NP-TV-Z]{8}"
DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"


class Text:
    __slots__ = ("matches",)

    def __init__(self, pattern: str) -> None:
        self.matches = re.compile(pattern).fullmatch

    def __call__(self, value: object) -> bool:
        return isinstance(value, str) and self.matches(value) is not None


class Number:
    """A number that is too small to be a telephone number, a document number or a date of birth."""

    __slots__ = ("below",)

    def __init__(self, below: float) -> None:
        self.below = below

    def __call__(self, value: object) -> bool:
        return isinstance(value, NUMBERS) and -self.below < value < self.below


class OneOf:
    __slots__ = ("words",)

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)

    def __call__(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words


def any_of(forms: Collection[Form]) -> Form:
    """A value that has one of these forms. Closed sets become one set, bounds the widest, and equal forms one form: every call
    is judged by it.
    """
    several = list(dict.fromkeys(form for form in forms if not isinstance(form, OneOf | Number)))
    if bounds := [form.below for form in forms if isinstance(form, Number)]:
        several.append(Number(max(bounds)))
    sets = [form.words for form in forms if isinstance(form, OneOf)]
    if sets:
        several.append(OneOf(frozenset[str]().union(*sets)))
    return several[0] if len(several) == 1 else lambda value: any(form(value) for form in several)


def method_to_log(sent: str) -> str:
    return sent if sent in METHODS else HIDDEN


IS_ID = Text(f"{OWN_ID}|{UUID}")
IS_HOTEL_ID = Text(rf"{OWN_ID}|htl_[0-9]{{1,10}}_[0-9]{{1,4}}")
IS_REFERENCE = Text(BOOKING_REFERENCE)
IS_THREE_CAPITALS = Text(r"[A-Z]{3}")
IS_TWO_CAPITALS = Text(r"[A-Z]{2}")
IS_AIRLINE = Text(r"[A-Z][A-Z0-9]|[0-9][A-Z]")
IS_TIME_OF_DAY = Text(r"[0-9]{2}:[0-9]{2}")
IS_DATE = Text(rf"{DAY}(?:T{TIME})?")
IS_DATE_TIME = Text(rf"{DAY}T{TIME}")
IS_PLACE_NAME = Text(
    r"[^\W\d_][^0-9_@:;=+*#%&$!?|\\\"<>{}\[\]\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]{0,84}"
)
"""In any script: no digit, and no mark of an address, a link or a program."""
IS_CENTS = Number(10**12 + 1)
IS_SMALL_NUMBER = Number(100_000)
