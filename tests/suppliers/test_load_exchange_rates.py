"""manage.py load_exchange_rates: all of a file or nothing of it."""

import io
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.suppliers.models import ExchangeRate

pytestmark = pytest.mark.django_db


HEADER = "base,quote,rate,as_of\n"
GOOD = f"{HEADER}USD,EUR,0.9031,2026-11-19\nUSD,JPY,155.2,2026-11-20\n\n GBP , EUR ,1.19,2026-11-20\n"


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., str]:
    """`load(text)` runs the command on a file of it; what it printed."""

    def run(text: str | bytes, *arguments: str) -> str:
        file = tmp_path / "ecb.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        printed = io.StringIO()
        call_command("load_exchange_rates", str(file), *arguments, stdout=printed)
        return printed.getvalue().strip()

    return run


def stored() -> set[tuple[Any, ...]]:
    return set(ExchangeRate.objects.values_list("base", "quote", "rate", "as_of", "source"))


def test_a_file_is_stored(load: Callable[..., str]) -> None:
    assert load(GOOD) == "3 stored, 0 already stored"
    assert stored() == {
        ("USD", "EUR", Decimal("0.9031"), date(2026, 11, 19), "ecb.csv"),
        ("USD", "JPY", Decimal("155.2"), date(2026, 11, 20), "ecb.csv"),
        ("GBP", "EUR", Decimal("1.19"), date(2026, 11, 20), "ecb.csv"),
    }


def test_a_file_loaded_again_stores_nothing(load: Callable[..., str]) -> None:
    load(GOOD)
    assert load(GOOD) == "0 stored, 3 already stored"
    assert load(GOOD.replace("0.9031", "0.9032")) == "1 stored, 2 already stored"
    assert load(GOOD) == "1 stored, 2 already stored"  # back again is a change, too


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    piped = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + GOOD.encode()))
    monkeypatch.setattr("sys.stdin", piped)
    call_command("load_exchange_rates", "-", stdout=io.StringIO())
    assert len(stored()) == 3


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("usd,EUR,0.9,2026-11-20", "base: usd is no ISO 4217 currency."),
        ("USD,USD,1,2026-11-20", "The two currencies are the same."),
        ("USD,EUR,0,2026-11-20", "rate: A rate is above zero."),
        ('USD,EUR,"0,9",2026-11-20', "rate: “0,9” is not a decimal number."),
        ("USD,EUR,1e3,2026-11-20", "rate: “1e3” is not a decimal number."),
        ("USD,EUR,0.1234567890123,2026-11-20", "no more than 12 decimal places"),
        ("USD,EUR,0.9,20.11.2026", "as_of: “20.11.2026” is not a date (2026-11-20)."),
        ("USD,EUR,0.9,2026-02-30", "as_of: “2026-02-30” is not a date (2026-11-20)."),
        ("USD,EUR,0.9", "3 values instead of 4."),
        ("USD,JPY,155,2026-11-20", "the same pair and day as line 3."),
        ('USD,EUR,"0.9,2026-11-20', "unexpected end of data"),
    ],
)
def test_one_bad_line_is_named_and_nothing_is_stored(load: Callable[..., str], line: str, fault: str) -> None:
    with pytest.raises(CommandError) as refused:
        load(f"{HEADER}GBP,EUR,1.19,2026-11-20\nUSD,JPY,155.2,2026-11-20\n{line}\n")
    first, told = str(refused.value).split("\n")
    assert first == "Nothing was stored."
    assert told.startswith("line 4: ")
    assert fault in told
    assert stored() == set()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: the header must be base,quote,rate,as_of."),
        ("USD,EUR,0.9,2026-11-20\n", "line 1: the header must be base,quote,rate,as_of."),
        (HEADER, "The file holds no rates."),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (f"{HEADER}USD,EUR,0.9\0,2026-11-20", "is not a decimal number"),
    ],
)
def test_what_is_no_such_file_is_refused(load: Callable[..., str], text: str | bytes, fault: str) -> None:
    with pytest.raises(CommandError) as refused:
        load(text)
    assert fault in str(refused.value)
