"""The operations that docs/contract.md lists are those of the document, each with its scope."""

import re

from apps.gateway.openapi import document
from tests.papers.papers import DOCS

ROW = re.compile(r"^\| `([A-Z]+ /[^`]+)` \| (?:`([a-z]+:[a-z]+)` )?\|", re.MULTILINE)


def test_the_contract_lists_every_operation_with_its_scope() -> None:
    published = {
        f"{method.upper()} {path}": (operation["security"] or [{"apiKey": [""]}])[0]["apiKey"][0]
        for path, operations in document()["paths"].items()
        for method, operation in operations.items()
    }
    assert len(published) == 48
    assert dict(ROW.findall((DOCS / "contract.md").read_text())) == published
