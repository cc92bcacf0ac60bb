"""The operations that docs/contract.md lists are those of the document, each with its scope."""

import re

from apps.gateway.openapi import document
from tests.papers.papers import DOCS

ROW = re.compile(r"^\| `([A-Z]+ /[^`]+)` \| (?:`?(any|[a-z]+:[a-z]+)`? )?\|", re.MULTILINE)


def test_the_contract_lists_every_operation_with_its_scope() -> None:
    published = {
        f"{method.upper()} {path}": scope_of(operation["security"])
        for path, operations in document()["paths"].items()
        for method, operation in operations.items()
    }
    assert len(published) == 49
    assert dict(ROW.findall((DOCS / "contract.md").read_text())) == published


def scope_of(security: list[dict[str, list[str]]]) -> str:
    """Nothing for what is public; any for what every key opens."""
    return (security[0]["apiKey"] or ["any"])[0] if security else ""
