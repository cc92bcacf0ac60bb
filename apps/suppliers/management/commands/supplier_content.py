"""`manage.py supplier_content`: every documented field and what partners see of it; exit 1 if some are undecided."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.suppliers.content import Content, Fate
from apps.suppliers.vendors import vendors_of


class Command(BaseCommand):
    help = "List every documented field of what suppliers sell as shown, withheld or not yet shown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("supplier", nargs="?", help="only this supplier, such as duffel")
        parser.add_argument("--summary", action="store_true", help="print only the totals")

    def handle(self, *args: Any, supplier: str | None = None, summary: bool = False, **options: Any) -> None:
        contents = [one for one in declared_contents() if supplier in (None, one.supplier)]
        if not contents:
            raise CommandError(f"No content is declared for {supplier or 'any supplier'}.")
        for content in contents:
            if not summary:
                self.list_fields(content)
            self.stdout.write(sums_of(content))
        undecided = [f"{one.supplier} {one.subject}: {path}" for one in contents for path in one.unknown()]
        if undecided:
            raise CommandError("Not decided: " + ", ".join(undecided))

    def list_fields(self, content: Content) -> None:
        width = max(map(len, content.documented))
        for path, (fate, words) in content.fates().items():
            self.stdout.write(f"{path:{width}}  {fate:8}  {words}".rstrip())


def declared_contents() -> list[Content]:
    return [
        content
        for product in settings.SUPPLIERS
        for vendor in vendors_of(product).values()
        for content in vendor.contents()
    ]


def sums_of(content: Content) -> str:
    count = Counter(fate for fate, _ in content.fates().values())
    sums = ", ".join(f"{count[fate]} {fate}" for fate in Fate)
    return f"{content.supplier} {content.subject}: {len(content.documented)} fields, {sums}"
