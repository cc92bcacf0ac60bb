"""Every field that a supplier documents is shown, withheld for a reason, or not yet shown; none was forgotten."""

from dataclasses import replace

import pytest

from apps.suppliers.content import Content, Fate
from apps.suppliers.management.commands.supplier_content import declared_contents

CONTENT = Content(
    supplier="acme",
    subject="room",
    documented=("id", "price.net", "price.gross", "beds[].size", "beds[].extras[]", "notes"),
    shown={"price.net": "totalCents", "beds[]": "beds"},
    withheld={"id": "an id of theirs", "price": "what others pay"},
    not_yet={"beds[].extras": "not modelled yet"},
)


@pytest.mark.parametrize("content", declared_contents(), ids=lambda one: f"{one.supplier} {one.subject}")
def test_every_documented_field_is_decided_about_and_no_other(content: Content) -> None:
    assert content.documented
    assert len(set(content.documented)) == len(content.documented)
    assert (content.unknown(), content.needless()) == ([], [])
    assert "" not in [words for _, words in content.fates().values()]


def test_the_longest_declared_path_decides() -> None:
    assert {path: fate for path, (fate, _) in CONTENT.fates().items()} == {
        "id": Fate.WITHHELD,
        "price.net": Fate.SHOWN,
        "price.gross": Fate.WITHHELD,
        "beds[].size": Fate.SHOWN,
        "beds[].extras[]": Fate.NOT_YET,
        "notes": Fate.UNKNOWN,
    }


def test_what_is_undecided_needless_or_undocumented_is_named() -> None:
    assert CONTENT.unknown() == ["notes"]
    assert replace(CONTENT, shown={"prices": "totalCents"}).needless() == ["prices"]
    answered = ["id", "price", "beds[].size", "beds[].colour", "beds", "notes.first"]
    assert CONTENT.undocumented(answered) == ["beds[].colour"]
