from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common.encryption import Count, reencrypt
from apps.common.progress import LongCommand, ProgressBar


class Command(LongCommand):
    help = (
        "Re-encrypt every stored value with the first key of FIELD_ENCRYPTION_KEYS. Run it once that key is first in every "
        "process; then remove the other keys and destroy them."
    )
    again = "Run it again: what is re-encrypted already is only read."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing, and fail while anything is stored under another key",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with ProgressBar("reencrypt", "rows") as progress:
            counts = reencrypt(write=not options["check"], progress=progress)
        for name, count in sorted(counts.items()):
            self.stdout.write(f"{name}: {summary(count, checked=options['check'])}")
        if any(count.unreadable for count in counts.values()):
            raise CommandError(
                "Some values cannot be decrypted with any key of FIELD_ENCRYPTION_KEYS: put the missing key back."
            )
        if options["check"] and any(count.older for count in counts.values()):
            raise CommandError(
                "Some values are still stored under another key than the first: do not remove that key yet."
            )


def summary(count: Count, *, checked: bool) -> str:
    words = f"{count.older} {'under another key' if checked else 're-encrypted'}"
    return f"{words}, {count.unreadable} unreadable" if count.unreadable else words
