"""The audit trail of one key, one sentence for each entry."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.accounts.models import User
from apps.keys.models import KeyAuditAction, KeyAuditEntry
from apps.portal.templatetags.portal import span


@dataclass(frozen=True, slots=True)
class AuditLine:
    what: str
    who: str
    at: datetime


def audit_lines(entries: Iterable[KeyAuditEntry]) -> list[AuditLine]:
    return [AuditLine(sentence(entry), actor_name(entry.actor), entry.created_at) for entry in entries]


def actor_name(person: User | None) -> str:
    """Partners see the addresses of their own members. Our staff appear as Support."""
    return person.email if person is not None and not person.is_staff else "Support"


def sentence(entry: KeyAuditEntry) -> str:
    details = entry.details
    match entry.action:
        case KeyAuditAction.CREATED:
            return f"Created with {len(details['scopes'])} scopes, for {address_list(details['allowedIps'])}"
        case KeyAuditAction.ROTATED:
            return f"Rotated; {old_secret_end(details['previousSecretsExpireAt'], entry.created_at)}"
        case KeyAuditAction.OLD_SECRETS_ENDED:
            return f"Ended the old secret, which {time_left(details['wouldHaveEndedAt'], entry.created_at)}"
        case KeyAuditAction.RENAMED:
            return f"Renamed from “{details['before']}” to “{details['after']}”"
        case KeyAuditAction.ALLOWED_IPS_CHANGED:
            return f"Addresses changed from {address_list(details['before'])} to {address_list(details['after'])}"
        case _:
            return entry.get_action_display()


def address_list(allowed: list[str]) -> str:
    return ", ".join(allowed) or "every address"


def old_secret_end(end: str, rotated_at: datetime) -> str:
    remaining = remaining_after(end, rotated_at)
    if remaining <= timedelta(0):
        return "the old secret ended at once"
    return f"the old secret got another {span(remaining)}"


def time_left(end: str, ended_at: datetime) -> str:
    return f"had another {span(remaining_after(end, ended_at))}"


def remaining_after(end: str, written_at: datetime) -> timedelta:
    """Rounded to the second: the entry is written a moment after the change, and 24 hours would read as `23 h`."""
    return timedelta(seconds=round((datetime.fromisoformat(end) - written_at).total_seconds()))
