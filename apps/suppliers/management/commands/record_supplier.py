"""`manage.py record_supplier flights --to FILE`: keeps a redacted recording of a real exchange, for tests to replay.

With the credentials of this deployment and a traveller of our own invention. `--book` books and cancels, which costs money where
the credentials are those of a live account.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from apps.suppliers.errors import SupplierError
from apps.suppliers.recording import NotClean, recording, written
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.vendors import vendors_of

TRAVELLER = {
    "first_name": "Xanthippe",
    "last_name": "Quackenbush",
    "email": "xanthippe.quackenbush@example.org",
    "phone": "+351219998877",
    "date_of_birth": "1987-06-15",
}


class Command(BaseCommand):
    help = "Record calls to a supplier, without travellers and secrets, as a file for tests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("product", choices=list(settings.SUPPLIERS))
        parser.add_argument(
            "--to", required=True, help="the file to write, in the folder of the connector's tests"
        )
        parser.add_argument("--book", action="store_true", help="also book, read and cancel: may cost money")

    def handle(self, *args: Any, **options: Any) -> None:
        product, name = options["product"], settings.SUPPLIERS[options["product"]]["live"]
        if name == SIMULATOR or name not in vendors_of(product):
            raise CommandError(f"No supplier serves live keys with {product}: there is nothing to record.")
        client_ref = f"R-{uuid4().hex[:8].upper()}"
        journey = import_string(f"apps.{product}.suppliers.sample_journey.travel")
        adapter = vendors_of(product)[name].build()
        failed = ""
        with recording() as tape:
            try:
                journey(adapter, client_ref, TRAVELLER, book=options["book"])
            except SupplierError as error:
                failed = f"; it ended in {type(error).__name__}"
        try:
            text = written(name, client_ref, tape, secrets=secrets_of(name), travellers=TRAVELLER.values())
        except NotClean as error:
            raise CommandError(f"{error}: nothing was written.") from error
        Path(options["to"]).write_text(text)
        self.stdout.write(f"{len(tape)} exchanges with {name} in {options['to']}{failed}.")


def secrets_of(name: str) -> list[str]:
    """The credentials of this deployment, without addresses and switches."""
    public = ("base_url", "currency", "payment_method")
    return [
        value
        for entry, value in settings.SUPPLIER_CREDENTIALS[name].items()
        if isinstance(value, str) and value and not entry.endswith(public)
    ]
