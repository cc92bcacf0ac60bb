"""What documents show of an account: set in the portal, with an entry in the audit trail for each change."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit import record
from apps.accounts.models import Account, AuditAction, Branding
from apps.accounts.models.branding import (
    LONGEST_ADDRESS,
    LONGEST_EMAIL,
    LONGEST_NAME,
    LONGEST_PHONE,
    LONGEST_WEBSITE,
)
from apps.common.errors import InvalidRequest
from apps.common.validators import EmailAddressValidator, is_printable

LONGEST = {
    "name": LONGEST_NAME,
    "address": LONGEST_ADDRESS,
    "phone": LONGEST_PHONE,
    "emergency_phone": LONGEST_PHONE,
    "email": LONGEST_EMAIL,
    "website": LONGEST_WEBSITE,
}
TEXTS = tuple(LONGEST)
MOST_LINES = 5
LONGEST_LINE = 60
PHONE = re.compile(r"\+?[0-9(][0-9 ()./-]{3,}[0-9]", re.ASCII)
HOST = re.compile(r"(?=.{4,253}$)([^\W_]([\w-]*[^\W_])?\.)+[^\W\d_][\w-]*[^\W_]")


def branding_of(account: Account) -> Branding:
    """The partner's, also for one of its sandboxes; one that was not saved where nothing is set. One query."""
    pk = account.shown_id
    return Branding.objects.filter(pk=pk).first() or Branding(account_id=pk)


# --- What is wrong with a value: in words that follow the field's, empty for a valid one ----------------------------------
def line_fault(value: str) -> str:
    return "" if is_printable(value) else "must have printable characters only, in one line"


def address_fault(value: str) -> str:
    lines = value.split("\n")
    if not all(map(is_printable, lines)):
        return "must have printable characters only"
    if len(lines) > MOST_LINES:
        return f"must have at most {MOST_LINES} lines"
    return (
        ""
        if max(map(len, lines)) <= LONGEST_LINE
        else f"must have lines of at most {LONGEST_LINE} characters"
    )


def phone_fault(value: str) -> str:
    digits = sum(map(str.isdigit, value))
    if PHONE.fullmatch(value) and 5 <= digits <= 15:
        return ""
    return "must be a phone number such as +351 21 000 0000"


def email_fault(value: str) -> str:
    try:
        EmailAddressValidator()(value)
    except ValidationError:
        return "must be an e-mail address"
    return ""


def website_fault(value: str) -> str:
    fault = "must be an https address such as https://www.example.com"
    try:
        parts = urlsplit(value)
        known = parts.scheme == "https" and "@" not in parts.netloc and parts.port != 0
        known = known and HOST.fullmatch(parts.hostname or "") is not None
    except ValueError:  # brackets, or a port that is no number
        known = False
    return "" if known and is_printable(value) and " " not in value else fault


FAULTS = {
    "name": line_fault,
    "address": address_fault,
    "phone": phone_fault,
    "emergency_phone": phone_fault,
    "email": email_fault,
    "website": website_fault,
}


def as_stored(name: str, value: str) -> str:
    """Without spaces around it; an address without empty lines."""
    if name != "address":
        return value.strip()
    return "\n".join(filter(None, map(str.strip, value.splitlines())))


# --- Changes --------------------------------------------------------------------------------------------------------------
def change_branding(*, account: Account, actor: Actor, texts: Mapping[str, str]) -> Branding:
    """Set the TEXTS that are given; an empty one is left out of documents. Raises InvalidRequest at each that is invalid."""
    stored = {name: as_stored(name, texts[name]) for name in TEXTS if name in texts}
    faults = {name: fault_of(name, value) for name, value in stored.items() if value}
    details = [{"field": name, "message": fault} for name, fault in faults.items() if fault]
    if details:
        raise InvalidRequest(details=details)
    with transaction.atomic():
        branding = _locked(account)
        changes = {
            name: [getattr(branding, name), value]
            for name, value in stored.items()
            if getattr(branding, name) != value
        }
        for name, (_, value) in changes.items():
            setattr(branding, name, value)
        if changes:
            branding.save(update_fields=list(changes))
            _record(account, actor, changes=changes)
    return branding


def fault_of(name: str, value: str) -> str:
    most = LONGEST[name]
    return f"must have at most {most} characters" if len(value) > most else FAULTS[name](value)


@transaction.atomic
def set_logo(*, account: Account, actor: Actor, logo: bytes | None) -> bool:
    """`logo` is what `as_logo` made, or None to remove it. Returns False where nothing changes."""
    branding = _locked(account)
    before = bytes(branding.logo) if branding.logo else None
    if before == logo:
        return False
    branding.logo = logo
    branding.save(update_fields=["logo"])
    _record(account, actor, logo="removed" if logo is None else "replaced" if before else "added")
    return True


def _locked(account: Account) -> Branding:
    Branding.objects.bulk_create([Branding(account_id=account.shown_id)], ignore_conflicts=True)
    return Branding.objects.select_for_update().get(pk=account.shown_id)


def _record(account: Account, actor: Actor, **details: object) -> None:
    record(account=account, action=AuditAction.BRANDING_CHANGED, actor=actor, details=details)
