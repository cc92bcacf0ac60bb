"""`python -m tests.siege.partners`: those who call during a siege, made by `create_partner`; prints them as one JSON object.

`victim` has raised limits, so that its own never matter; `attacker` the usual ones; `heavy` raised ones, for attacks that are to
get past them; `crowd` an account with twenty live keys of usual limits; `nobody` keys that look right and were never issued;
`pinned` and `near` may call from 203.0.113.7 and from 127.0.0.9 alone; `staff` may do everything in the back office. `addresses`
are those of all pages, as the URL map has them.
"""

import json
import os
from io import StringIO
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 - there are settings only now

from apps.accounts.models import Account, User  # noqa: E402
from apps.keys import secrets  # noqa: E402
from apps.keys.scopes import ENFORCED  # noqa: E402
from apps.keys.services.issue import issue_key  # noqa: E402
from tests.siege.hostile.places import addresses  # noqa: E402

RAISED = "SEARCH=100000000,BOOKING=100000000,READ=100000000"
KEYS = 20


def create(name: str, *more: str) -> dict[str, Any]:
    terms = ["--name", name, "--currency", "EUR", "--balance-cents", "900000000000", "--live"]
    out = StringIO()
    call_command(
        "create_partner", *terms, "--scopes", ",".join(sorted(ENFORCED)), *more, "--json", stdout=out
    )
    made: dict[str, Any] = json.loads(out.getvalue())
    return made


def crowd() -> dict[str, Any]:
    made = create("Crowd", "--search-quota", "100000000")
    account = Account.objects.get(pk=made["accountId"])
    others = [issue_key(account=account, environment="live", name=f"key {n}")[1] for n in range(1, KEYS)]
    return {**made, "liveKeys": [made["liveKey"], *others]}


def staff() -> dict[str, str]:
    password = secrets.make("test")
    User.objects.create_superuser(email="staff@example.com", password=password)
    return {"email": "staff@example.com", "password": password}


def main() -> None:
    call_command("sync_esim_plans", stdout=StringIO())
    raised = ("--rate", RAISED, "--search-quota", "100000000")
    partners = {
        "victim": create("Victim", *raised),
        "attacker": create("Attacker", "--search-quota", "100000000"),
        "heavy": create("Heavy", *raised),
        "crowd": crowd(),
        "pinned": create("Pinned", "--allowed-ips", "203.0.113.7"),
        "near": create("Near", "--allowed-ips", "127.0.0.9"),
        "nobody": {"liveKey": secrets.make("live"), "testKey": secrets.make("test")},
        "staff": staff(),
        "addresses": addresses(),
    }
    print(json.dumps(partners))


if __name__ == "__main__":
    main()
