import io
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.suppliers.currency.load import Unusable, load_rates

STDIN = "-"


class Command(BaseCommand):
    help = "Store the rates of exchange in a CSV file (base,quote,rate,as_of): all of them, or none and what is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the file, or - for standard input")
        parser.add_argument("--source", help="where the rates are from; the file's name by default")
        parser.add_argument("--dry-run", action="store_true", help="check the file and store nothing")

    def handle(self, *args: Any, file: str, source: str | None, dry_run: bool, **options: Any) -> None:
        text = read(file)
        name = source or ("standard input" if file == STDIN else Path(file).name)
        try:
            loaded = load_rates(io.StringIO(text, newline=""), source=name[:255], dry_run=dry_run)
        except Unusable as error:
            raise CommandError("\n".join(["Nothing was stored.", *error.faults])) from error
        stored = "would be stored" if dry_run else "stored"
        self.stdout.write(f"{loaded.added} {stored}, {loaded.unchanged} known already")


def read(file: str) -> str:
    """The file as UTF-8, with or without the mark that spreadsheets put in front."""
    try:
        raw = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file}: not UTF-8 at byte {error.start}") from error
