"""For the tests of keys: paths, a filled form, and readers of answers."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

from apps.accounts.live_approval import approve_live
from apps.accounts.models import Account
from apps.common import clock
from apps.keys.models import ApiKey, KeySecret
from apps.keys.services import rotate_key
from apps.request_log.models import CallHour
from tests.factories.keys import issued_key

LIST, NEW, NEW_LIVE = "/portal/test/keys/", "/portal/test/keys/new/", "/portal/live/keys/new/"
SECRET = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{38}")
ALLOWS_EVERYTHING = "This list would allow every address; leave it empty for that."
FILLED: dict[str, Any] = {
    "name": "Web shop",
    "scopes": ["hotels:search"],
    "allowed_ips": "203.0.113.7",
    "settlement_mode": "partner_merchant",
}


def text_of(answer: Any) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def errors_of(answer: Any) -> dict[str, list[str]]:
    """The errors beside each field."""
    return {name: list(said) for name, said in answer.context["form"].errors.items()}


def path(key: ApiKey, page: str = "") -> str:
    return f"/portal/{key.environment}/keys/{key.pk}/{page}"


def approve(account: Account) -> None:
    approve_live(account=account, approved_by=None)


def let_approval_lapse(account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(live_approved_until=clock.now() - timedelta(days=1))


def rotated(account: Account) -> tuple[ApiKey, str, str]:
    key, old = issued_key(account, name="Web shop")
    return key, old, rotate_key(key=key)


def silence(key: ApiKey, minutes: int) -> None:
    """Make the rotation, and the last call with the old secret, that many minutes ago."""
    at = clock.now() - timedelta(minutes=minutes, seconds=5)
    old, new = key.secrets.order_by("id")
    KeySecret.objects.filter(pk=old.pk).update(created_at=at - timedelta(days=1))
    KeySecret.objects.filter(pk=new.pk).update(created_at=at)
    CallHour.objects.filter(secret_id=old.pk).update(last_call_at=at)
