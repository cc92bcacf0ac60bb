"""What the papers point to exists: links, anchors, and every path that stands between backticks."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.papers.papers import DOCS, ROOMS, ROOT, anchors, directories, files, links, named_in_code, papers

FILE_NAME = re.compile(r"[\w.\-*/]*\.(py|md|html|js|mjs|css|json|lua|tsv|toml|yml|yaml|lock|sh|php|go)")
MADE_BY_RUNNING = ("var/", ".venv/")
NOT_OURS = frozenset({"pg_hba.conf"})


def test_there_are_papers() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in papers()}
    assert {"README.md", "docs/contract.md", "docs/reliability.md", "docs/architecture.md"} <= names


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(paper: Path) -> None:
    broken = []
    for target in links(paper):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        found = (paper.parent / path).resolve() if path else paper
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.relative_to(ROOT).as_posix())
def test_named_paths_exist(paper: Path) -> None:
    assert [name for name in named_in_code(paper) if is_path(name) and not exists(name)] == []


def is_path(name: str) -> bool:
    """Whether the text means a file or a directory of this repository."""
    if name.startswith(("/", *MADE_BY_RUNNING)) or name in NOT_OURS or "<" in name or " " in name:
        return False
    return (name.partition("/")[0] in ROOMS and "/" in name) or FILE_NAME.fullmatch(name) is not None


def exists(name: str) -> bool:
    """A path from the root, or the end of one where the paper has named its directory before; `*` stands for one name."""
    name = name.rstrip("/")
    if "*" in name:
        there = files() | directories()
        return any(fnmatchcase(path, name) and path.count("/") == name.count("/") for path in there)
    return name in directories() or any(path == name or path.endswith(f"/{name}") for path in files())


@pytest.mark.parametrize(
    ("name", "meant", "there"),
    [
        ("apps/ledger/services/hold.py", True, True),
        ("apps/ledger/services/nothing.py", True, False),
        ("apps/*/suppliers/base.py", True, True),
        ("apps/ledger", True, True),
        ("hold.py", True, True),
        ("apps/*/suppliers", True, True),
        ("GET /v1/account", False, False),
        ("/v1/openapi.json", False, False),
        ("var/postgres/data", False, False),
    ],
)
def test_a_path_is_told_from_other_texts(name: str, meant: bool, there: bool) -> None:
    assert is_path(name) is meant
    assert (is_path(name) and exists(name)) is there


def test_decisions_are_numbered_alike_and_listed() -> None:
    names = sorted(path.name for path in (DOCS / "decisions").glob("0*.md"))
    assert [name[:4] for name in names] == [f"{number:04}" for number in range(1, len(names) + 1)]
    assert sorted(set(links(DOCS / "decisions/README.md")) & set(names)) == names
    for name in names:
        parts = re.findall(r"^## (.+)$", (DOCS / "decisions" / name).read_text(), re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences"], name


def test_the_glossary_is_in_order_and_names_a_place_for_each_word() -> None:
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    assert rows
    words = [word.lower() for word, _ in rows]
    assert words == sorted(words)
    assert [word for word, told in rows if "`" not in told.rpartition(" | ")[2]] == []


def test_twelve_questions_of_a_newcomer_are_answered_with_a_place() -> None:
    rows = re.findall(
        r"^\| (\d+) \| (.+\?) \| (.+) \|$", (DOCS / "architecture.md").read_text(), re.MULTILINE
    )
    assert [int(number) for number, _, _ in rows] == list(range(1, 13))
    assert [
        question for _, question, answer in rows if not any(map(exists, re.findall(r"`([^`]+)`", answer)))
    ] == []
