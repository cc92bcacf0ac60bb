"""Search over all pages. The index is built at first use and kept for a day, because the examples contain dates."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from apps.common import clock
from apps.docs.pages import Text, texts

MOST_CHARACTERS = 100
MOST_WORDS = 8
MOST_FOUND = 20
EXCERPT = 160
IN_TITLE, BEGUN_IN_TITLE, IN_SECTION, IN_HEADING, FOR_GUIDES = 40, 35, 38, 8, 16
"""Points for a word in a title, a section or alias of a guide, or a heading. Each mention in the text is one point, up to ten."""
FENCE = re.compile(r"```.*?```", re.DOTALL)
LAYOUT = re.compile(r"^\|[\s:|-]+\|$|^#+ |^ *- |\|", re.MULTILINE)
"""Markdown of tables, headings and lists."""
MARKS = re.compile(r"[`*]+|\[|\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Indexed:
    text: Text
    title: frozenset[str]
    sections: frozenset[str]
    """Of a guide: its second-level headings and its aliases."""
    headings: frozenset[str]
    words: Counter[str]
    prose: str


@dataclass(frozen=True, slots=True)
class Found:
    path: str
    group: str
    title: str
    excerpt: str


def search(query: str) -> list[Found]:
    """Pages that contain all words of the query, or words that start with them, best first. Long queries are cut."""
    asked = words_of(query[:MOST_CHARACTERS])[:MOST_WORDS]
    if not asked:
        return []
    scored = [(score(page, asked), page) for page in index(clock.today())]
    best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])[:MOST_FOUND]
    return [Found(page.text.path, page.text.group, page.text.title, excerpt(page, asked)) for _, page in best]


@lru_cache(maxsize=1)
def index(_day: date) -> tuple[Indexed, ...]:
    return tuple(map(indexed, texts()))


def indexed(text: Text) -> Indexed:
    written = text.write()
    prose = " ".join(MARKS.sub("", LAYOUT.sub(" ", FENCE.sub(" ", written))).split())
    headings = [line for line in written.splitlines() if line.startswith("#")]
    sections = [line for line in headings if line.startswith("## ") and text.group == "Guides"]
    return Indexed(
        text,
        frozenset(words_of(text.title)),
        frozenset(words_of(" ".join([*sections, text.aliases]))),
        frozenset(words_of(" ".join(headings))),
        Counter(words_of(written)),
        prose.partition(text.title)[2].strip() or prose,
    )


def words_of(text: str) -> list[str]:
    """In lower case. Names such as `createHotelBooking` and `price_changed` count as a whole and by their parts."""
    found = []
    for word in re.findall(r"[A-Za-z0-9_.]+", text):
        whole = word.strip(".").lower()
        parts = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word).lower())
        found += [whole] if parts == [whole] else [whole, *parts]
    return [word for word in found if word]


def score(page: Indexed, asked: list[str]) -> int:
    """0 if a word is missing."""
    total = 0
    for word in asked:
        points = _points(page, word)
        if not points:
            return 0
        total += points
    return total


def _points(page: Indexed, word: str) -> int:
    """0 if no word of the page is the word or starts with it. Guides rank above reference pages."""
    title = IN_TITLE if word in page.title else BEGUN_IN_TITLE * _begun(page.title, word)
    section = IN_SECTION if word in page.sections else (IN_SECTION - 5) * _begun(page.sections, word)
    points = max(title, section) + IN_HEADING * (word in page.headings) + min(10, page.words[word])
    points = points or int(_begun(page.words, word))
    return points + FOR_GUIDES * (page.text.group == "Guides") if points else 0


def _begun(words: Iterable[str], word: str) -> bool:
    """Whether a word starts with this one, which needs three letters: shorter ones match too much."""
    return len(word) >= 3 and any(each.startswith(word) for each in words)


def excerpt(page: Indexed, asked: list[str]) -> str:
    """The text around the first of the words."""
    places = [at for word in asked if (at := page.prose.lower().find(word)) >= 0]
    at = min(places, default=0)
    begin = page.prose.rfind(" ", 0, max(0, at - EXCERPT // 3)) + 1
    end = page.prose.find(" ", begin + EXCERPT)
    return ("… " if begin else "") + page.prose[begin : end if end > 0 else None] + (" …" if end > 0 else "")


def titled(query: str) -> list[Text]:
    """Pages whose title has all words of the query, or words that start with them, in reading order. Pages of single errors are
    left out. Needs no index.
    """
    asked = words_of(query[:MOST_CHARACTERS])[:MOST_WORDS]
    if not asked:
        return []
    pages = (text for text in texts() if text.group != "Errors")
    return [
        text for text in pages if all(_is_in(_title(f"{text.title} {text.aliases}"), word) for word in asked)
    ]


def _is_in(title: frozenset[str], word: str) -> bool:
    return word in title or _begun(title, word)


@lru_cache(maxsize=1_024)
def _title(title: str) -> frozenset[str]:
    return frozenset(words_of(title))
