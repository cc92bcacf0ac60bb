"""Reads the papers of the repository: their headings, numbered items, links and the paths that they name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ROOMS = (
    "apps",
    "clients/python",
    "config",
    "deploy",
    "docs",
    "requirements",
    "static",
    "templates",
    "tests",
    ".ci",
    ".github",
)
HEADING = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
ITEM = re.compile(r"^(\d+)\. ", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A numbered section of a paper: `## 2. The order of checks`."""

    text: str
    headings: frozenset[str] = field(default_factory=frozenset)
    """In lower case: the section's own and those below it."""
    items: frozenset[int] = field(default_factory=frozenset)
    """The numbers of its ordered lists: steps and rules."""


def papers() -> list[Path]:
    """Every paper for people: those at the root and those in docs/."""
    return sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


@cache
def files() -> frozenset[str]:
    """Every file of the repository, as a path from its root; what is made by running it left out."""
    found = {path.name for path in ROOT.iterdir() if path.is_file()}
    for room in ROOMS:
        found |= {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / room).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
    return frozenset(found)


@cache
def directories() -> frozenset[str]:
    return frozenset(str(parent) for file in files() for parent in Path(file).parents)


def prose(paper: Path) -> str:
    """The paper without its blocks of code."""
    return FENCE.sub("", paper.read_text())


@cache
def sections(name: str) -> dict[int, Section]:
    """The numbered sections of docs/<name>.md."""
    parts = re.split(r"^## (\d+)\. ", prose(DOCS / f"{name}.md"), flags=re.MULTILINE)[1:]
    return {int(number): _section(text) for number, text in zip(parts[::2], parts[1::2], strict=True)}


def _section(text: str) -> Section:
    title, _, body = text.partition("\n")
    headings = {title.lower(), *(heading.lower() for _, heading in HEADING.findall(body))}
    return Section(text, frozenset(headings), frozenset(int(number) for number in ITEM.findall(body)))


@cache
def promises() -> dict[str, str]:
    """The rows of docs/reliability.md by their ids."""
    rows = re.findall(r"^\| ([A-Z]\d) \|(.+)$", prose(DOCS / "reliability.md"), re.MULTILINE)
    return dict(rows)


def anchors(paper: Path) -> set[str]:
    """What a link to a heading of `paper` is called, as the usual hosts make it."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for _, heading in HEADING.findall(prose(paper)))
    return {heading.replace(" ", "-") for heading in kept}


def named_in_code(paper: Path) -> Iterator[str]:
    """Every `text` of the paper that stands between backticks."""
    yield from re.findall(r"`([^`\n]+)`", prose(paper))


def links(paper: Path) -> Iterator[str]:
    """The targets of the paper's links."""
    yield from re.findall(r"\]\(([^)\s]+)\)", prose(paper))
