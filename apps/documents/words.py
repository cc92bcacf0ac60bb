"""The texts of documents, and dates, times, amounts and countries, as people of one language write them."""

import csv
import gettext
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path

import pycountry

from apps.common.money import exponent, to_major

_head, *_lines = csv.reader(
    (Path(__file__).parent / "labels.tsv").read_text().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
)
LANGUAGES: tuple[str, ...] = tuple(_head[1:])
LABELS: dict[str, tuple[str, ...]] = {name: tuple(texts) for name, *texts in _lines}
"""Every text of a document by its name, in the order of LANGUAGES. Braces take values; a bar separates one from many."""
OTHERWISE = "en"
THIN = "\N{NARROW NO-BREAK SPACE}"

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
}
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
}
DAYS = {  # day, month in words, year
    "en": "{} {} {}",
    "de": "{}. {} {}",
    "fr": "{} {} {}",
    "es": "{} de {} de {}",
    "pt": "{} de {} de {}",
    "it": "{} {} {}",
}
OF_WEEK = {"fr": "{} {}", "it": "{} {}"}
FIRST = {"fr": "1er", "it": "1º"}
"""How the first of a month is written, where it is no plain number."""
SEPARATORS = {
    "en": (",", "."),
    "de": (".", ","),
    "fr": (THIN, ","),
    "es": (".", ","),
    "pt": (".", ","),
    "it": (".", ","),
}
"""Of thousands and of decimals."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language, one of LANGUAGES."""

    language: str

    def __call__(self, label: str, /, **values: object) -> str:
        """The text of a label, with the values in its braces. Values may have braces of their own."""
        text = LABELS[label][LANGUAGES.index(self.language)]
        return text.format(**values) if values else text

    def count(self, label: str, number: int) -> str:
        """`2 nights`, `1 night`: a label with the form for one and, after a bar, for others."""
        one, _, many = self(label).partition("|")
        return f"{number} {one if number == 1 else many}"

    def day(self, day: date) -> str:
        """`Friday, 12 March 2027`."""
        weekday = WEEKDAYS[self.language].split()[day.weekday()]
        return OF_WEEK.get(self.language, "{}, {}").format(weekday, self.short_day(day))

    def short_day(self, day: date) -> str:
        """`12 March 2027`."""
        number = FIRST.get(self.language, "1") if day.day == 1 else str(day.day)
        month = MONTHS[self.language].split()[day.month - 1]
        return DAYS[self.language].format(number, month, day.year)

    def instant(self, moment: datetime) -> str:
        """`Friday, 12 March 2027, 18:00`, by the moment's own clock."""
        return f"{self.day(moment.date())}, {moment:%H:%M}"

    def amount(self, cents: int, currency: str) -> str:
        """`1,234.50 EUR`, with as many decimals as the currency has."""
        thousands, decimals = SEPARATORS[self.language]
        plain = f"{to_major(cents, currency):,.{exponent(currency)}f}"
        written = plain.translate({ord(","): thousands, ord("."): decimals})
        return f"{written}\N{NO-BREAK SPACE}{currency}"

    def minutes(self, minutes: int) -> str:
        """`8 h 5 min`."""
        hours, rest = divmod(minutes, 60)
        return " ".join(
            part for part in (f"{hours} h" if hours else "", f"{rest} min" if rest else "") if part
        )

    def country(self, code: str | None) -> str:
        """The name of a country by its alpha-2 code; the code itself where it has no name, as `XK`."""
        found = pycountry.countries.get(alpha_2=code) if code else None
        if found is None:
            return "Kosovo" if code == "XK" else code or ""
        return _names(self.language).gettext(str(getattr(found, "common_name", found.name)))


def words_in(language: str) -> Words:
    """The words of a language; English where its texts do not exist."""
    return Words(language if language in LANGUAGES else OTHERWISE)


@cache
def _names(language: str) -> gettext.NullTranslations:
    return gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[language], fallback=True)


def joined(parts: Iterable[str | None], between: str = ", ") -> str:
    """Those that say something."""
    return between.join(part for part in parts if part)
