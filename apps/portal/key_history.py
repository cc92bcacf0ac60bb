"""The trail of a key in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.accounts.models import User
from apps.keys.models import KeyAuditAction, KeyAuditEntry
from apps.portal.templatetags.portal import span


@dataclass(frozen=True, slots=True)
class Deed:
    what: str
    who: str
    at: datetime


def history_of(entries: Iterable[KeyAuditEntry]) -> list[Deed]:
    return [Deed(said(entry), name_of(entry.actor), entry.created_at) for entry in entries]


def name_of(person: User | None) -> str:
    """Partners read the addresses of their own people; ours are all of Support."""
    return person.email if person is not None and not person.is_staff else "Support"


def said(entry: KeyAuditEntry) -> str:
    told = entry.details
    match entry.action:
        case KeyAuditAction.CREATED:
            return f"Created with {len(told['scopes'])} scopes, for {addresses(told['allowedIps'])}"
        case KeyAuditAction.ROTATED:
            return f"Rotated; {ending(told['previousSecretsExpireAt'], entry.created_at)}"
        case KeyAuditAction.OLD_SECRETS_ENDED:
            return f"Ended the old secret, which {left(told['wouldHaveEndedAt'], entry.created_at)}"
        case KeyAuditAction.RENAMED:
            return f"Renamed from “{told['before']}” to “{told['after']}”"
        case KeyAuditAction.ALLOWED_IPS_CHANGED:
            return f"Addresses changed from {addresses(told['before'])} to {addresses(told['after'])}"
        case _:
            return entry.get_action_display()


def addresses(allowed: list[str]) -> str:
    return ", ".join(allowed) or "every address"


def ending(end: str, rotated_at: datetime) -> str:
    remaining = until(end, rotated_at)
    if remaining <= timedelta(0):
        return "the old secret ended at once"
    return f"the old secret got another {span(remaining)}"


def left(end: str, ended_at: datetime) -> str:
    return f"had another {span(until(end, ended_at))}"


def until(end: str, written_at: datetime) -> timedelta:
    """The trail is written a moment after the deed, which would be said as `23 h`: hence to the second."""
    return timedelta(seconds=round((datetime.fromisoformat(end) - written_at).total_seconds()))
