"""The partner that `make run` prints: created once, then found again.

Its secret is stored in plain text in a file that only this user can read. That is for a checkout on a developer's
machine, where the key opens nothing but the simulator.
"""

import json
import os
import secrets
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from apps.accounts.models import Account, User
from apps.accounts.sandboxes import sandboxes_of
from apps.common.environments import Environment
from apps.common.errors import GatewayError
from apps.keys import authentication
from apps.keys.scopes import ENFORCED, of_what_is_sold
from apps.keys.services import issue_key
from apps.onboarding.partners import Terms, onboard_partner

NAME = "Demo Travel"
EMAIL = "demo@example.com"
BALANCE_CENTS = 10_000_00

Demo = dict[str, str | None]


class Command(BaseCommand):
    help = "Print the demo partner and a test key that works. Creates them if needed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")
        parser.add_argument("--store", type=Path, default=settings.BASE_DIR / "var" / "demo-partner.json")

    def handle(self, *args: object, as_json: bool, store: Path, **options: object) -> None:
        demo = stored(store)
        if demo is None:
            demo = make()
            keep(demo, store)
        lines = [f"{name}: {value}" for name, value in demo.items() if value is not None]
        self.stdout.write(json.dumps(demo) if as_json else "\n".join(lines))


def stored(store: Path) -> Demo | None:
    """What an earlier run kept, if its key still works in this database."""
    try:
        demo: Demo = json.loads(store.read_text())
        partner = authentication.look_up(demo["testKey"] or "")
    except (OSError, ValueError, KeyError, TypeError, GatewayError):
        return None
    return demo if partner.shown_account_id == demo["accountId"] else None


@transaction.atomic
def make() -> Demo:
    """A new demo partner; where there is one whose key is lost or revoked, another key for it."""
    owner = User.objects.filter(email=EMAIL).first()
    account = Account.objects.filter(memberships__user=owner).first() if owner else None
    if owner is None or account is None:
        return onboard_partner(
            Terms(
                name=NAME,
                currency="EUR",
                balance_cents=BALANCE_CENTS,
                scopes=of_what_is_sold(ENFORCED),
                portal_email=EMAIL,
            )
        ).as_json()
    password = secrets.token_urlsafe(16)
    owner.set_password(password)
    owner.save(update_fields=["password"])
    sandbox = sandboxes_of(account.pk)[0]
    key, secret = issue_key(
        account=sandbox.account,
        environment=Environment.TEST,
        name="Demo key",
        scopes=of_what_is_sold(ENFORCED),
    )
    return {
        "accountId": account.id,
        "testKey": secret,
        "testKeyId": key.id,
        "liveKey": None,
        "liveKeyId": None,
        "portalEmail": EMAIL,
        "portalPassword": password,
    }


def keep(demo: Demo, store: Path) -> None:
    """Write it where only this user can read it, from the first byte on."""
    store.parent.mkdir(parents=True, exist_ok=True)
    store.unlink(missing_ok=True)
    descriptor = os.open(store, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(demo, file)
