"""`manage.py load_exchange_rates`: stores all rates of a CSV file or none of them. Every faulty line is reported."""

import csv
import io
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.common import clock
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates

COLUMNS = ["base", "quote", "rate", "as_of"]
STDIN = "-"


class Command(BaseCommand):
    help = "Store the exchange rates of a CSV file (base,quote,rate,as_of): all, or none and the faults."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the file, or - for standard input")
        parser.add_argument("--source", help="source of the rates; the file's name by default")
        parser.add_argument("--dry-run", action="store_true", help="check the file and store nothing")

    def handle(self, *args: Any, file: str, source: str | None, dry_run: bool, **options: Any) -> None:
        lines = io.StringIO(read_file(file), newline="")
        name = source or ("standard input" if file == STDIN else Path(file).name)
        rates = parse(lines, name[:255])
        new = [row for row in rates if not is_stored(row)]
        if not dry_run:
            with transaction.atomic():
                ExchangeRate.objects.bulk_create(new)
            forget_rates()
        stored = "would be stored" if dry_run else "stored"
        self.stdout.write(f"{len(new)} {stored}, {len(rates) - len(new)} already stored")


def read_file(file: str) -> str:
    """The file as UTF-8, with or without the mark that spreadsheets put in front."""
    try:
        raw = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file}: not UTF-8 at byte {error.start}") from error


def parse(lines: Iterable[str], source: str) -> list[ExchangeRate]:
    """The rows of the file, each valid. Raises CommandError with every fault."""
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
        raise refusal(*faults)
    return rows


def refusal(*faults: str) -> CommandError:
    return CommandError("\n".join(["Nothing was stored.", *faults]))


def numbered(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines after the header that are not empty, with their numbers. Raises CommandError."""
    reader = csv.reader(lines, strict=True)
    try:
        if [name.strip() for name in next(reader, [])] != COLUMNS:
            raise refusal(f"line 1: the header must be {','.join(COLUMNS)}.")
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, [field.strip() for field in fields]
    except csv.Error as error:
        raise refusal(f"line {reader.line_num}: {error}.") from error


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
        raise ValidationError({"rate": f"“{text}” is not a decimal number."})
    return Decimal(text)


def read_day(text: str) -> date:
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        with suppress(ValueError):  # the 30th of February
            return date.fromisoformat(text)
    raise ValidationError({"as_of": f"“{text}” is not a date (2026-11-20)."})


def is_stored(row: ExchangeRate) -> bool:
    known = ExchangeRate.objects.filter(base=row.base, quote=row.quote, as_of=row.as_of)
    last = known.order_by("-created_at", "-id").first()
    return last is not None and last.rate == row.rate


def messages_of(error: ValidationError) -> Iterator[str]:
    if not hasattr(error, "error_dict"):
        yield from error.messages
        return
    for field, messages in error.message_dict.items():
        for message in messages:
            yield message if field == "__all__" else f"{field}: {message}"
