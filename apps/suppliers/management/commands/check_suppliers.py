"""`manage.py check_suppliers`: whether the suppliers of live keys accept our credentials; exit status 1 if one does not."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.suppliers.checks import chosen
from apps.suppliers.errors import SupplierError
from apps.suppliers.vendors import vendors_of

HEADINGS = ("supplier", "product", "checked", "ms", "result")


class Command(BaseCommand):
    help = "Check the credentials of the suppliers that serve live keys, with one cheap read each."

    def handle(self, *args: Any, **options: Any) -> None:
        proofs = [prove(product, name) for product, name in chosen()]
        if not proofs:
            self.stdout.write("Only the simulator serves live keys: there are no credentials to check.")
            return
        rows = [HEADINGS, *proofs]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())
        if any(verdict != "ok" for *_, verdict in proofs):
            raise CommandError("A supplier does not accept our credentials.")


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
