from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.encryption import Count, reencrypt


class Command(BaseCommand):
    help = (
        "Move all that rests encrypted to the first of FIELD_ENCRYPTION_KEYS. Run it once the new key stands first in every "
        "process; then take the others out, and destroy them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="Write nothing, and fail while something rests under another key",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        counts = reencrypt(write=not options["check"])
        for name, count in sorted(counts.items()):
            self.stdout.write(f"{name}: {said(count, checked=options['check'])}")
        if any(count.unreadable for count in counts.values()):
            raise CommandError("Nothing of FIELD_ENCRYPTION_KEYS opens some of it: put the missing key back.")
        if options["check"] and any(count.older for count in counts.values()):
            raise CommandError(
                "Some of it rests under another key than the first: do not take that one out yet."
            )


def said(count: Count, *, checked: bool) -> str:
    words = f"{count.older} {'under another key' if checked else 'moved'}"
    return f"{words}, {count.unreadable} unreadable" if count.unreadable else words
