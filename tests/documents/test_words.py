"""Dates, amounts and labels in six languages."""

from datetime import UTC, date, datetime
from string import Formatter

import pytest

from apps.documents.words import LABELS, LANGUAGES, MONTHS, WEEKDAYS, words_in

DAY = date(2027, 3, 12)
WRITTEN = {
    "en": ("Friday, 12 March 2027", "1 May 2027", "1,234.50", "Germany", "1 night", "2 nights"),
    "de": ("Freitag, 12. März 2027", "1. Mai 2027", "1.234,50", "Deutschland", "1 Nacht", "2 Nächte"),
    "fr": ("vendredi 12 mars 2027", "1er mai 2027", "1\u202f234,50", "Allemagne", "1 nuit", "2 nuits"),
    "es": (
        "viernes, 12 de marzo de 2027",
        "1 de mayo de 2027",
        "1.234,50",
        "Alemania",
        "1 noche",
        "2 noches",
    ),
    "pt": (
        "sexta-feira, 12 de março de 2027",
        "1 de maio de 2027",
        "1.234,50",
        "Alemanha",
        "1 noite",
        "2 noites",
    ),
    "it": ("venerdì 12 marzo 2027", "1º maggio 2027", "1.234,50", "Germania", "1 notte", "2 notti"),
}


@pytest.mark.parametrize(("language", "expected"), WRITTEN.items())
def test_dates_amounts_and_countries_are_as_people_write_them(
    language: str, expected: tuple[str, ...]
) -> None:
    w = words_in(language)
    assert (
        w.day(DAY),
        w.short_day(date(2027, 5, 1)),
        w.amount(123_450, "EUR").removesuffix("\N{NO-BREAK SPACE}EUR"),
        w.country("DE"),
        w.count("nights", 1),
        w.count("nights", 2),
    ) == expected
    assert w.instant(datetime(2027, 3, 12, 9, 5, tzinfo=UTC)) == f"{expected[0]}, 09:05"


@pytest.mark.parametrize(
    ("cents", "currency", "expected"),
    [(1_234, "JPY", "1,234"), (1_234_567, "KWD", "1,234.567"), (0, "EUR", "0.00"), (5, "USD", "0.05")],
)
def test_an_amount_has_the_decimals_of_its_currency(cents: int, currency: str, expected: str) -> None:
    assert words_in("en").amount(cents, currency) == f"{expected}\N{NO-BREAK SPACE}{currency}"


@pytest.mark.parametrize(
    ("code", "name"), [("TW", "Taiwan"), ("XK", "Kosovo"), ("ZZ", "ZZ"), (None, ""), ("US", "United States")]
)
def test_a_country_has_its_common_name(code: str | None, name: str) -> None:
    assert words_in("en").country(code) == name


@pytest.mark.parametrize(("minutes", "expected"), [(0, ""), (45, "45 min"), (60, "1 h"), (485, "8 h 5 min")])
def test_minutes_are_hours_and_minutes(minutes: int, expected: str) -> None:
    assert words_in("en").minutes(minutes) == expected


def test_an_unknown_language_is_english() -> None:
    assert words_in("ja") == words_in("en")


def test_every_label_is_there_in_every_language_with_the_same_values() -> None:
    assert len(LABELS) > 100
    for name, texts in LABELS.items():
        assert len(texts) == len(LANGUAGES), name
        assert all(text.strip() == text != "" for text in texts), name
        assert (
            len(
                {
                    tuple(
                        sorted(field or "" for _, field, _, _ in Formatter().parse(text) if field is not None)
                    )
                    for text in texts
                }
            )
            == 1
        ), name
        assert len({text.count("|") for text in texts}) == 1, name


def test_every_language_has_its_months_and_weekdays() -> None:
    assert {
        language: (len(MONTHS[language].split()), len(WEEKDAYS[language].split())) for language in LANGUAGES
    } == (dict.fromkeys(LANGUAGES, (12, 7)))
