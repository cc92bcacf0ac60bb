"""Every field that a supplier documents is shown, withheld for a reason, or not yet shown; none was forgotten."""

from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

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


def test_a_field_that_is_declared_twice_is_a_fault() -> None:
    with pytest.raises(ValueError, match="price is declared twice"):
        replace(CONTENT, shown={"price": "totalCents"}).unknown()


def test_what_is_undecided_needless_or_undocumented_is_named() -> None:
    assert CONTENT.unknown() == ["notes"]
    assert replace(CONTENT, shown={"prices": "totalCents"}).needless() == ["prices"]
    answered = ["id", "price", "beds[].size", "beds[].colour", "beds", "notes.first"]
    assert CONTENT.undocumented(answered) == ["beds[].colour"]


def told(*args: str) -> str:
    out = StringIO()
    call_command("supplier_content", *args, stdout=out)
    return out.getvalue()


def test_the_command_lists_every_field_with_its_words() -> None:
    lines = told("duffel").splitlines()
    assert "total_emissions_kg" in [line.split()[0] for line in lines]
    assert lines[-1].startswith("duffel offer: ")
    assert lines[-1].endswith(", 0 unknown")
    assert told("--summary").count("0 unknown") == len(declared_contents())


def test_the_command_fails_where_nothing_was_decided_and_for_an_unknown_supplier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "apps.suppliers.management.commands.supplier_content.declared_contents", lambda: [CONTENT]
    )
    with pytest.raises(CommandError, match="Nothing is decided about acme room: notes"):
        told()
    with pytest.raises(CommandError, match="No content is declared for other"):
        told("other")
