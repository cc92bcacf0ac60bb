"""`manage.py check_suppliers`: whether the suppliers chosen for live keys let us in; exit 1 where one does not."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.suppliers.checks import chosen
from apps.suppliers.errors import SupplierError
from apps.suppliers.vendors import vendors_of

HEADINGS = ("supplier", "product", "proved", "ms", "verdict")


class Command(BaseCommand):
    help = "Prove the credentials of the suppliers that live keys are served by."

    def handle(self, *args: Any, **options: Any) -> None:
        proofs = [prove(product, name) for product, name in chosen()]
        if not proofs:
            self.stdout.write("Live keys are served by the simulator alone: there is nothing to prove.")
            return
        rows = [HEADINGS, *proofs]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())
        if any(verdict != "ok" for *_, verdict in proofs):
            raise CommandError("A supplier does not let us in.")


def prove(product: str, name: str) -> tuple[str, ...]:
    """One cheap read with our credentials: a row under HEADINGS."""
    started = time.monotonic()
    proved, verdict = "nothing", "ok"
    try:
        adapter = vendors_of(product)[name].build()
        proved = adapter.prove() or "credentials accepted"
    except SupplierError as error:
        verdict = f"{type(error).__name__}: {error}"
    except Exception as error:  # an unforeseen answer is no proof either
        verdict = f"failed: {type(error).__name__}"
    return name, product, proved, str(round((time.monotonic() - started) * 1000)), verdict
