"""What is accepted as a person's name, an e-mail address or a country: the same on /v1, in the portal and in the back office."""

import unicodedata
from typing import Any

import pycountry
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator

JOINERS = frozenset("\u200c\u200d")
VIRAMA = 9
"""The combining class of the sign after which Indic scripts write a joiner, at the end of a word too (RFC 5892, appendix A)."""
LONGEST_LOCAL_PART = 64


def name_fault(name: str) -> str:
    """What is wrong with a name, in words that follow the field's; empty for a valid one."""
    if not is_printable(name):
        return "must have printable characters only"
    return "" if any(map(str.isalpha, name)) else "must have at least one letter"


def is_printable(text: str) -> bool:
    """Whether it has no control, bidirectional and other invisible characters, but for joiners where scripts have them."""
    return _without_joiners(text).isprintable()


def _without_joiners(name: str) -> str:
    """Zero-width joiners and non-joiners are part of Persian and Indic names, but only between letters."""
    if JOINERS.isdisjoint(name):
        return name
    placed = zip(f" {name}", name, f"{name[1:]} ", strict=False)
    return "".join(each for before, each, after in placed if each not in JOINERS or not _joins(before, after))


def _joins(before: str, after: str) -> bool:
    return _is_letter(before) and (_is_letter(after) or unicodedata.combining(before) == VIRAMA)


def _is_letter(character: str) -> bool:
    """A letter, or a mark on one."""
    return unicodedata.category(character)[0] in "LM"


class EmailAddressValidator(EmailValidator):
    """As mail is delivered on the Internet (RFC 5321): Django's also accepts `localhost` and local parts of any length."""

    def __init__(self, message: Any = None) -> None:
        super().__init__(message=message, allowlist=[])

    def __call__(self, value: str | None) -> None:
        super().__call__(value)
        local_part, _, host = str(value).rpartition("@")
        if len(local_part) > LONGEST_LOCAL_PART or "." not in host:
            raise ValidationError(self.message, code=self.code, params={"value": value})


COUNTRIES = frozenset(country.alpha_2 for country in pycountry.countries) | {"XK"}
"""ISO 3166-1 alpha-2; and Kosovo, which has no code there and which the travel trade writes `XK`."""
