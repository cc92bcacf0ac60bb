"""Every citation of a paper leads to a section, step, rule or promise that docs/ has.

Code and tests cite the papers as "contract §2, step 14", "specification §7, rule 1", "contract §3, Webhooks" or
"reliability M7", and tests also as "promise K2".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.papers.papers import DOCS, ROOT, files, promises, sections

READ = ("apps/", "config/", "tests/", "templates/", "static/", "docs/", ".ci/")
TEXTS = (".py", ".md", ".html", ".txt", ".js", ".css", ".lua", ".toml", ".example", "Makefile")

PAPER = r"(?P<paper>contract|specification|reliability|suppliers|performance|house[ -]style)"
HEADING = r"[A-Za-z]+(?: [a-z]+){0,2}(?= and |[),.;:])"
"""Without quotation marks a heading has three words at most: what is longer is a sentence that goes on."""
PLACE = r'(?:(?:steps?|rules?) \d+(?: to \d+)?|"[^"]+")'
OF_A_SECTION = re.compile(
    rf"\b{PAPER}(?:\.md)? ?§ ?(?P<section>\d+)(?:, (?!(?:contract|specification|reliability)\b)"
    rf"(?P<first>{PLACE}|{HEADING})(?P<more>(?:(?:;| and) {PLACE})*))?",
    re.IGNORECASE,
)
ID = r"[A-Z]\d"
OF_A_PROMISE = re.compile(
    rf"\b(?:reliability|promises?) (?P<ids>{ID}(?:(?:, | and | to ){ID})*)", re.IGNORECASE
)
JOINED = re.compile(r"\s*\n\s*(?:#:? )?\s*")


@dataclass(frozen=True)
class Citation:
    paper: str
    section: int
    places: tuple[str, ...] = ()


def one_line(text: str) -> str:
    """A citation may go over two lines of a docstring or of comments."""
    return JOINED.sub(" ", text)


def citations(text: str) -> Iterator[Citation]:
    for found in OF_A_SECTION.finditer(one_line(text)):
        places = [found["first"], *re.findall(PLACE, found["more"] or "")] if found["first"] else []
        yield Citation(found["paper"].lower(), int(found["section"]), tuple(places))


def promised(text: str) -> Iterator[str]:
    """The ids of promises that are cited, those between "B1 to B3" included."""
    for found in OF_A_PROMISE.finditer(one_line(text)):
        for first, last in re.findall(rf"({ID})(?: to ({ID}))?", found["ids"]):
            numbers = range(int(first[1]), int((last or first)[1]) + 1)
            yield from (f"{first[0]}{number}" for number in numbers)


def fault_of(citation: Citation) -> str | None:
    """Why a citation leads nowhere."""
    if not (DOCS / f"{citation.paper}.md").exists():
        return f"there is no docs/{citation.paper}.md"
    section = sections(citation.paper).get(citation.section)
    if section is None:
        return f"{citation.paper}.md has no section {citation.section}"
    for place in citation.places:
        numbers = [int(number) for number in re.findall(r"\d+", place)]
        if numbers and not section.items.issuperset(range(numbers[0], numbers[-1] + 1)):
            return f"{citation.paper} §{citation.section} has no {place}"
        if not numbers and not any(
            heading.startswith(place.strip('"').lower()) for heading in section.headings
        ):
            return f"{citation.paper} §{citation.section} has no heading {place}"
    return None


def texts() -> Iterator[tuple[str, str]]:
    for file in sorted(files()):
        read = file.startswith(READ) or "/" not in file
        if read and file.endswith(TEXTS) and file != "tests/papers/test_citations.py":
            yield file, (ROOT / file).read_text()


def test_every_citation_leads_to_a_section_of_docs() -> None:
    found = [(file, citation) for file, text in texts() for citation in citations(text)]
    assert len(found) > 50
    assert [(file, fault) for file, citation in found if (fault := fault_of(citation))] == []


def test_every_promise_that_is_cited_is_in_reliability() -> None:
    found = [(file, promise) for file, text in texts() for promise in promised(text)]
    assert len(found) > 20
    assert [(file, promise) for file, promise in found if promise not in promises()] == []


def test_every_promise_names_what_shows_it() -> None:
    assert promises()
    shown = re.compile(r"`(?:tests/[^`]+|make [a-z]+)`")
    assert [promise for promise, told in promises().items() if not shown.search(told)] == []


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("as (contract §2, steps 1 to 3 and fine print).", Citation("contract", 2, ("steps 1 to 3",))),
        ('(contract §2, "Idempotency"; step 14)', Citation("contract", 2, ('"Idempotency"', "step 14"))),
        ("(contract §3,\n    Webhooks)", Citation("contract", 3, ("Webhooks",))),
        ("contract §2, steps 4 to 16, one each", Citation("contract", 2, ("steps 4 to 16",))),
        ("(contract §3, sandbox triggers).", Citation("contract", 3, ("sandbox triggers",))),
        ("contract §2, and what else a sentence may go on to say.", Citation("contract", 2)),
        ("the headers that contract §2 promises", Citation("contract", 2)),
        ("(specification §7, contract §1)", Citation("specification", 7)),
        ("(specification §6,\n# rule 7)", Citation("specification", 6, ("rule 7",))),
    ],
)
def test_citations_are_read(text: str, cited: Citation) -> None:
    assert next(citations(text)) == cited


@pytest.mark.parametrize(
    "citation",
    [
        Citation("contract", 99),
        Citation("contract", 2, ("step 18",)),
        Citation("contract", 2, ("Weather",)),
        Citation("specification", 7, ("rules 1 to 99",)),
        Citation("house-style", 1),
    ],
)
def test_a_citation_that_leads_nowhere_is_found(citation: Citation) -> None:
    assert fault_of(citation) is not None


def test_a_range_of_promises_names_each() -> None:
    assert [*promised("(reliability B1 to B3, M7), promise X1")] == ["B1", "B2", "B3", "M7", "X1"]
