"""The search for leaks finds what was planted, wherever it was."""

import pytest

from apps.suppliers.models import SupplierEvent
from apps.suppliers.vendors import Hint
from apps.suppliers.webhooks import store
from tests.suppliers.leaks import leaks

SECRET = "duffel_live_Not%A_Token"


@pytest.fixture
def planted(db: None) -> None:
    store("duffel", Hint(event_id="wev_1", kind="order.created", client_ref="Zoë Quackenbush"))


def test_a_word_in_a_row_names_the_table(planted: None) -> None:
    assert leaks(credentials=["QUACKENBUSH"], travellers=["zoë quackenbush"]) == [
        f"{SupplierEvent._meta.db_table}: QUACKENBUSH",
        f"{SupplierEvent._meta.db_table}: zoë quackenbush",
    ]


@pytest.mark.parametrize("logged", [SECRET, SECRET.upper(), "?token=duffel_live_Not%25A_Token&x=1"], ids=str)
def test_a_word_in_the_logs_is_found_as_it_may_be_written(db: None, logged: str) -> None:
    assert leaks(credentials=[SECRET], travellers=[], logs=f"sent {logged} off") == [f"logs: {SECRET}"]


def test_a_word_in_an_answer_tells_which(db: None) -> None:
    answers = [b"{}", b'{"name": "Zo\\u00eb"}']
    assert leaks(credentials=[], travellers=["Zoë"], answers=answers) == ["answer 1: Zoë"]
