"""The trail of an account in words: one sentence an entry, with a link to what it speaks of."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from apps.accounts.models import AccountAuditEntry, AuditAction, Role
from apps.portal.forms.audit import GROUPS
from apps.portal.key_history import addresses, ending, left
from apps.webhooks.models import Endpoint

Rest = Callable[[AccountAuditEntry, dict[str, Any]], str]

LIMITS = {
    "name": "name",
    "markup_bp": "markup (basis points)",
    "rate_search": "searches a minute",
    "rate_booking": "bookings a minute",
    "rate_read": "reads a minute",
    "search_quota": "searches a day",
}


@dataclass(frozen=True, slots=True)
class Line:
    """`who` `did` `subject` `rest`, as in: Ada | rotated the key | Web shop | : the old secret ended at once."""

    entry: AccountAuditEntry
    who: str
    did: str
    subject: str
    rest: str
    link: str | None
    group: str


def nothing(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return ""


def as_role(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" as {role(told['role'])}"


def change_of_role(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" from {role(told['before'])} to {role(told['after'])}"


def scopes(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" with {counted(told['scopes'], 'scope')}, for {addresses(told['allowedIps'])}"


def rotation(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f": {ending(told['previousSecretsExpireAt'], entry.created_at)}"


def early_end(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f", which {left(told['wouldHaveEndedAt'], entry.created_at)}"


def names(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f", which was called “{told['before']}”"


def new_addresses(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" from {addresses(told['before'])} to {addresses(told['after'])}"


def events(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" for {counted(told['events'], 'event')}"


def what_changed(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f": {', '.join(told['changed'])}"


def why_disabled(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" after {told['failures']} failures in a row" if "failures" in told else ""


def signing(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return ": the old one ended at once" if told["immediate"] else ": both sign for 24 hours"


def until(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" until {day(told['until'])}"


def reason(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f": {told['reason']}" if "reason" in told else ""


def of_whom(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" of {told['of']}" if "of" in told else ""


def of_whom_to(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" of {told['of']} to {told['to']}"


def status(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    return f" from {told['before']} to {told['after']}"


def terms(entry: AccountAuditEntry, told: dict[str, Any]) -> str:
    changes = told["changes"].items()
    return ": " + ", ".join(
        f"{LIMITS.get(name, name)} {value(old)} → {value(new)}" for name, (old, new) in changes
    )


WORDS: dict[str, tuple[str, Rest]] = {
    AuditAction.MEMBER_INVITED: ("invited", as_role),
    AuditAction.INVITATION_RESENT: ("sent another link to", nothing),
    AuditAction.INVITATION_WITHDRAWN: ("withdrew the invitation of", nothing),
    AuditAction.MEMBER_JOINED: ("joined", as_role),
    AuditAction.MEMBER_ADDED: ("added", as_role),
    AuditAction.ROLE_CHANGED: ("changed the role of", change_of_role),
    AuditAction.MEMBER_REMOVED: ("removed", nothing),
    AuditAction.KEY_CREATED: ("created the key", scopes),
    AuditAction.KEY_ROTATED: ("rotated the key", rotation),
    AuditAction.KEY_OLD_SECRETS_ENDED: ("ended the old secret of the key", early_end),
    AuditAction.KEY_REVOKED: ("revoked the key", nothing),
    AuditAction.KEY_RENAMED: ("renamed the key", names),
    AuditAction.KEY_ALLOWED_IPS_CHANGED: ("changed the addresses of the key", new_addresses),
    AuditAction.ENDPOINT_CREATED: ("registered the endpoint", events),
    AuditAction.ENDPOINT_CHANGED: ("changed the endpoint", what_changed),
    AuditAction.ENDPOINT_ENABLED: ("enabled the endpoint", nothing),
    AuditAction.ENDPOINT_DISABLED: ("disabled the endpoint", why_disabled),
    AuditAction.ENDPOINT_SECRET_ROTATED: ("rotated the signing secret of", signing),
    AuditAction.ENDPOINT_DELETED: ("deleted the endpoint", nothing),
    AuditAction.ACCESS_REQUESTED: ("asked for production access", nothing),
    AuditAction.ACCESS_APPROVED: ("approved live keys", until),
    AuditAction.ACCESS_REFUSED: ("refused the request for production access", reason),
    AuditAction.ACCESS_WITHDRAWN: ("ended the approval for live keys", nothing),
    AuditAction.ACCESS_LAPSED: ("noted that the approval for live keys lapsed, and told the owners", nothing),
    AuditAction.STATUS_CHANGED: ("changed the status of the account", status),
    AuditAction.TERMS_CHANGED: ("changed the account", terms),
    AuditAction.PASSWORD_CHANGED: ("changed their password", nothing),
    AuditAction.PASSWORD_RESET: ("changed the password", of_whom),
    AuditAction.TWO_FACTOR_SET_UP: ("set up two-factor", nothing),
    AuditAction.TWO_FACTOR_REMOVED: ("removed two-factor", of_whom),
    AuditAction.RECOVERY_CODES_RENEWED: ("made new recovery codes", nothing),
    AuditAction.ADDRESS_CHANGED: ("changed the address", of_whom_to),
    AuditAction.SIGN_IN_SWITCHED_OFF: ("switched off the sign-in", of_whom),
    AuditAction.SIGN_IN_SWITCHED_ON: ("switched the sign-in on again", of_whom),
}


def lines_of(entries: Sequence[AccountAuditEntry]) -> list[Line]:
    """At most one query: which of the endpoints can still be looked at."""
    endpoints = {entry.subject_id for entry in entries if entry.subject_type == "endpoint"}
    standing: set[str] = set()
    if endpoints:
        standing = set(
            Endpoint.objects.filter(pk__in=endpoints, deleted_at=None).values_list("pk", flat=True)
        )
    return [line_of(entry, standing) for entry in entries]


def line_of(entry: AccountAuditEntry, standing: Collection[str]) -> Line:
    did, rest = WORDS.get(entry.action, (entry.action, nothing))
    return Line(
        entry=entry,
        who=entry.actor_label,
        did=did,
        subject="" if entry.action == AuditAction.MEMBER_JOINED else entry.subject_name,
        rest=rest(entry, entry.details),
        link=link_to(entry, standing),
        group=GROUPS.get(entry.group, entry.group),
    )


def link_to(entry: AccountAuditEntry, standing: Collection[str]) -> str | None:
    if entry.subject_type == "key":
        return reverse("portal:key", args=[entry.environment, entry.subject_id])
    if entry.subject_type == "endpoint" and entry.subject_id in standing:
        return reverse("portal:endpoint", args=[entry.environment, entry.subject_id])
    return None


def counted(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"


def role(name: str) -> str:
    return Role(name).label.lower()


def value(limit: object) -> str:
    return "the default" if limit is None else str(limit)


def day(instant: str) -> str:
    at = datetime.fromisoformat(instant)
    return f"{at.day} {at:%b %Y}"
