"""Loads rates from a CSV file: all of it or nothing. Every faulty line is reported."""

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.common import clock
from apps.suppliers.currency.models import ExchangeRate
from apps.suppliers.currency.rates import forget_rates

COLUMNS = ["base", "quote", "rate", "as_of"]


class Unusable(Exception):
    """`faults`: what is wrong with the file, one sentence each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Loaded:
    """`unchanged` rates were stored before, and were not stored again."""

    added: int
    unchanged: int


def load_rates(lines: Iterable[str], *, source: str, dry_run: bool = False) -> Loaded:
    """Store the rates of a file with the header `base,quote,rate,as_of`. Raises Unusable, and nothing is stored."""
    rates = parse(lines, source)
    new = [row for row in rates if not is_stored(row)]
    if not dry_run:
        with transaction.atomic():
            ExchangeRate.objects.bulk_create(new)
        forget_rates()
    return Loaded(len(new), len(rates) - len(new))


def parse(lines: Iterable[str], source: str) -> list[ExchangeRate]:
    """The rows of the file, each valid. Raises Unusable."""
    rows: list[ExchangeRate] = []
    faults: list[str] = []
    seen: dict[tuple[str, str, date], int] = {}
    for number, fields in numbered(lines):
        try:
            row = read_row(fields, source)
            row.full_clean(validate_unique=False, validate_constraints=False)  # each would ask the database
        except ValidationError as error:
            faults.extend(f"line {number}: {message}" for message in messages_of(error))
            continue
        first = seen.setdefault((row.base, row.quote, row.as_of), number)
        if first != number:
            faults.append(f"line {number}: the same pair and day as line {first}.")
        rows.append(row)
    if not rows and not faults:
        faults = ["The file holds no rates."]
    if faults:
        raise Unusable(faults)
    return rows


def numbered(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines after the header that are not empty, with their numbers. Raises Unusable."""
    reader = csv.reader(lines, strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if header != COLUMNS:
            raise Unusable([f"line 1: the header must be {','.join(COLUMNS)}."])
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, [field.strip() for field in fields]
    except csv.Error as error:
        raise Unusable([f"line {reader.line_num}: {error}."]) from error


def read_row(fields: list[str], source: str) -> ExchangeRate:
    if len(fields) != len(COLUMNS):
        raise ValidationError(f"{len(fields)} values instead of {len(COLUMNS)}.")
    base, quote, rate, as_of = fields
    return ExchangeRate(
        base=base,
        quote=quote,
        rate=read_rate(rate),
        as_of=read_day(as_of),
        source=source,
        created_at=clock.now(),
    )


def read_rate(text: str) -> Decimal:
    """Digits and a point, nothing else: `1,234.5`, `1e3` and `NaN` are refused."""
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        raise ValidationError({"rate": f"“{text}” is no decimal number."})
    return Decimal(text)


def read_day(text: str) -> date:
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        with suppress(ValueError):  # the 30th of February
            return date.fromisoformat(text)
    raise ValidationError({"as_of": f"“{text}” is no day (2026-11-20)."})


def is_stored(row: ExchangeRate) -> bool:
    """Whether the newest rate of this pair and day is this one."""
    known = ExchangeRate.objects.filter(base=row.base, quote=row.quote, as_of=row.as_of)
    last = known.order_by("-created_at", "-id").first()
    return last is not None and last.rate == row.rate


def messages_of(error: ValidationError) -> Iterator[str]:
    """`rate: A rate is above zero.`"""
    if not hasattr(error, "error_dict"):
        yield from error.messages
        return
    for field, messages in error.message_dict.items():
        for message in messages:
            yield message if field == "__all__" else f"{field}: {message}"
