"""What was pasted into the search: the text itself, and the ids of ours in it. So a whole line of a log can be pasted, too."""

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from apps.keys.secrets import DISPLAY_CHARACTERS

LONGEST = 4_000
"""Characters that are read."""
LONGEST_WORD = 255
"""No text that is kept is longer."""
MOST = 10
"""Ids of one form."""
AROUND = " \t\r\n\"'`<>()[]{},;:…"
OURS = re.compile(r"(?<![a-z0-9_])[a-z]{2,8}_[0-9a-z]{26}(?![a-z0-9])", re.IGNORECASE)
REFERENCE = re.compile(r"(?<![a-z0-9-])[hfte]-[0-9a-z]{8}(?![a-z0-9-])", re.IGNORECASE)
REQUEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
SECRET = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{4,}")
PNR = re.compile(r"[A-Z0-9]{5,8}", re.IGNORECASE)
ICCID = re.compile(r"\d{18,22}")


@dataclass(frozen=True, slots=True)
class Pasted:
    """`word` is the whole text, for what partners and suppliers name as they like; the others are found anywhere in it."""

    word: str
    ids: tuple[str, ...]
    references: tuple[str, ...]
    requests: tuple[uuid.UUID, ...]
    secrets: tuple[str, ...]
    """The first characters of secrets, as they are kept."""
    has_whole_secret: bool

    @classmethod
    def of(cls, text: str) -> "Pasted":
        read = text[:LONGEST]
        word = read.strip(AROUND).removesuffix("...")
        secrets = SECRET.findall(read)
        return cls(
            word=word if len(word) <= LONGEST_WORD else "",
            ids=several(each.lower() for each in OURS.findall(read)),
            references=several(each.upper() for each in REFERENCE.findall(read)),
            requests=tuple(uuid.UUID(each) for each in several(REQUEST.findall(read.lower()))),
            secrets=several(each[:DISPLAY_CHARACTERS] for each in secrets),
            has_whole_secret=any(len(each) > DISPLAY_CHARACTERS for each in secrets),
        )

    def ids_of(self, *prefixes: str) -> list[str]:
        """Those that begin with one of these prefixes: `ids_of("hbk", "ford")`."""
        return [each for each in self.ids if each.partition("_")[0] in prefixes]

    @property
    def pnr(self) -> str:
        """The word as a PNR; empty where it is none."""
        return self.word.upper() if PNR.fullmatch(self.word) else ""

    @property
    def iccid(self) -> str:
        """The word as the number of an eSIM; empty where it is none."""
        digits = self.word.replace(" ", "")
        return digits if ICCID.fullmatch(digits) else ""

    @property
    def email(self) -> str:
        return self.word if "@" in self.word else ""


def several(found: Iterable[str]) -> tuple[str, ...]:
    """Each once, at most ten, in their order."""
    return tuple(dict.fromkeys(found))[:MOST]
