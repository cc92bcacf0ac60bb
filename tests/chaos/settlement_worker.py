"""A process of the service for `test_settlement_kills`.

`fill PARTNERS COUNT` makes a backlog. `settle` says that it is ready, waits for a line, and works off its share. `check` says
what is wrong. Each ends with one JSON object.
"""

import json
import sys
from collections import Counter

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from apps.bookings.flow.reconcile import settle_owed  # noqa: E402
from apps.bookings.models import Settlement  # noqa: E402
from apps.ledger.consistency import check_ledger  # noqa: E402
from apps.ledger.models import Hold, LedgerTransaction, Wallet  # noqa: E402
from tests.support.api import Api  # noqa: E402
from tests.support.owed import owe  # noqa: E402
from tests.transfers.agency import a_partner, an_order  # noqa: E402

BALANCE_CENTS = 10**12


def fill(partners: int, count: int) -> dict[str, object]:
    setup_test_environment()  # whoever calls in this process names no host of ours
    accounts = [a_partner(balance_cents=BALANCE_CENTS) for _ in range(partners)]
    an_order(Api(accounts[0].test_secret))
    wallets = Wallet.objects.filter(
        account_id__in=[each.account.pk for each in accounts], environment="test"
    ).order_by("pk")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        model = Settlement.objects.get()
        owe(cursor, model=model.pk, wallets=[*wallets.values_list("pk", flat=True)], count=count - 1)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE")
    return {"owed": Settlement.objects.filter(settled_at=None).count()}


def settle() -> dict[str, object]:
    connection.ensure_connection()
    print("ready", flush=True)
    sys.stdin.readline()
    return {"settled": settle_owed(seconds=float("inf"))}


def check() -> dict[str, object]:
    """All zero where each was settled once and the ledger is right."""
    captures = Counter(LedgerTransaction.objects.filter(type="capture").values_list("hold_id", flat=True))
    return {
        "unsettled": Settlement.objects.filter(settled_at=None).count(),
        "open holds": Hold.objects.filter(status="open").count(),
        "not captured once": Hold.objects.count() - sum(times == 1 for times in captures.values()),
        "differences in the ledger": len(check_ledger()),
    }


if __name__ == "__main__":
    works = {"fill": fill, "settle": settle, "check": check}
    print(json.dumps(works[sys.argv[1]](*map(int, sys.argv[2:]))), flush=True)  # type: ignore[operator]
