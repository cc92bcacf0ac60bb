"""What was added after 1.1 says in the document which release added it, and nothing else does."""

import re
from typing import Any, NamedTuple

import pytest

from apps.gateway.operations import SINCE
from tests.contract.ratchet.forms import Forms
from tests.contract.ratchet.places import Places, operations, parameters
from tests.contract.ratchet.releases import live, released

Document = dict[str, Any]
Part = dict[str, Any]
LAST_UNMARKED = "1.1.0"
OLDER_THAN_THEIR_WORDS = re.compile(r".* (429 header Retry-After|401 header WWW-Authenticate)")
"""They were sent before 1.2; the documents of 1.0 and 1.1 do not tell of them."""


class Told(NamedTuple):
    """Something that may carry the mark: an operation, a parameter, a header, a field. A status cannot: it may be a reference."""

    inside: str
    mark: str


def everything(document: Document) -> dict[str, Told]:
    """By the place where it stands."""
    walk = _Walk(document)
    for kind in ("paths", "webhooks"):
        for item, method, where in operations(document, kind):
            walk.operation(item, method, where)
    return walk.found


class _Walk:
    def __init__(self, document: Document) -> None:
        self.found: dict[str, Told] = {}
        self._document, self._forms, self._followed = document, Forms(document), Places(document).followed

    def operation(self, item: Part, method: str, where: str) -> None:
        self._add(where, "", item[method])
        for parameter in parameters(item, method, self._document):
            self._add(f"{where} {parameter['in']} {parameter['name']}", where, parameter)
        self._content(f"{where} body", where, item[method].get("requestBody", {}))
        for status, answer in item[method].get("responses", {}).items():
            for name, header in self._followed(answer).get("headers", {}).items():
                self._add(f"{where} {status} header {name}", where, self._followed(header))
            if status.startswith("2"):
                self._content(f"{where} {status}", where, answer)
            else:  # all operations refuse alike
                self._content("refusal", "", answer)

    def _content(self, where: str, inside: str, part: Part) -> None:
        for media in self._followed(part).get("content", {}).values():
            self._schema(where, inside, media["schema"])

    def _schema(self, where: str, inside: str, schema: Part) -> None:
        for form in self._forms.alternatives(schema).forms:
            for name, below in form.get("properties", {}).items():
                place = f"{where}.{name}"
                self._add(place, inside, below)
                self._schema(place, place, below)
            for keyword in ("items", "additionalProperties"):
                if isinstance(form.get(keyword), dict):
                    self._schema(where, inside, form[keyword])

    def _add(self, place: str, inside: str, part: Part) -> None:
        self.found[place] = Told(inside, part.get(SINCE, ""))


def wrongly_marked(old: Document, new: Document) -> list[str]:
    """New without a mark, or marked without being new. Inside of something new nothing needs a mark of its own.

    A header is not new where the old document tells of it for other answers.
    """
    known, now = everything(old), everything(new)
    headers = {place.rpartition(" ")[2] for place in known if " header " in place}

    def is_new(place: str) -> bool:
        return place not in known and (" header " not in place or place.rpartition(" ")[2] not in headers)

    return [
        place
        for place, (inside, mark) in now.items()
        if not OLDER_THAN_THEIR_WORDS.fullmatch(place)
        if (mark and place in known) or (not mark and is_new(place) and (not inside or inside in known))
    ]


@pytest.fixture(scope="module")
def old() -> Document:
    return released()[LAST_UNMARKED]


def test_what_1_1_does_not_hold_is_marked_and_nothing_else_is(old: Document):
    marks = {told.mark for told in everything(live()).values() if told.mark}

    assert marks
    assert all(re.fullmatch(r"1\.([2-9]|[1-9]\d+)", mark) for mark in marks), marks
    assert wrongly_marked(old, live()) == []
