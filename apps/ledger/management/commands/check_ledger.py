import sys
from argparse import ArgumentParser

from apps.common.progress import LongCommand, Progress, ProgressBar
from apps.gateway.periodic import recorded
from apps.ledger.consistency import Difference, check_ledger, nightly_check

COLUMNS = ("CHECK", "ACCOUNT", "ENVIRONMENT", "SUBJECT", "STORED", "DERIVED")


class Command(LongCommand):
    help = "Recompute every wallet, hold and transaction from its entries. Exit status 1 on any difference."
    again = "Run it again: it starts from the beginning. Nothing was changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--stop-accounts",
            action="store_true",
            help="make what differs read-only, as the nightly check does: the account, or the one sandbox",
        )

    def handle(self, *args: object, stop_accounts: bool, **options: object) -> None:
        with ProgressBar("check_ledger", "checks") as progress:
            differences = checked_as_at_night(progress) if stop_accounts else check_ledger(progress=progress)
        if not differences:
            self.stdout.write("The ledger balances: no difference.")
            return
        for line in table(differences):
            self.stdout.write(line)
        sys.exit(1)


def checked_as_at_night(progress: Progress) -> list[Difference]:
    with recorded("apps.ledger.tasks.nightly_check"):
        return nightly_check(progress=progress)


def table(differences: list[Difference]) -> list[str]:
    """The differences as lines of aligned columns, with a head."""
    rows = [
        COLUMNS,
        *(
            (d.check, d.account_id, d.environment, d.subject, str(d.stored_cents), str(d.derived_cents))
            for d in differences
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
