"""An entry of the audit trail in words."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from apps.accounts.models import AccountAuditEntry, AuditAction, Role
from apps.common.money import in_words
from apps.portal.templatetags.portal import span
from apps.webhooks.models import Endpoint

GROUPS = {
    "team": "Team",
    "keys": "API keys",
    "webhooks": "Webhooks",
    "bookings": "Bookings",
    "access": "Go live",
    "sandbox": "Sandboxes",
    "account": "Account",
    "sign_in": "Sign-in",
}

Ending = Callable[[AccountAuditEntry, dict[str, Any]], str]
"""Writes the end of a sentence from an entry and its details."""

LIMITS = {
    "name": "name",
    "markup_bp": "markup (basis points)",
    "rate_search": "searches a minute",
    "rate_booking": "bookings a minute",
    "rate_read": "reads a minute",
    "search_quota": "searches a day",
    "traveller_retention_days": "days until travellers are forgotten",
}


@dataclass(frozen=True, slots=True)
class AuditSentence:
    """`who` `verb` `subject` `ending`, as in: Ada | rotated the key | Web shop | : the old secret ended at once."""

    entry: AccountAuditEntry
    who: str
    verb: str
    subject: str
    ending: str
    link: str | None
    group: str


def no_ending(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return ""


def as_role(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" as {role(details['role'])}"


def change_of_role(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" from {role(details['before'])} to {role(details['after'])}"


def scopes(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" with {counted(details['scopes'], 'scope')}, for {address_list(details['allowedIps'])}"


def rotation(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f": {old_secret_end(details['previousSecretsExpireAt'], entry.created_at)}"


def early_end(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f", which {time_left(details['wouldHaveEndedAt'], entry.created_at)}"


def names(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f", which was called “{details['before']}”"


def funds(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f": {in_words(details['amountCents'], details['currency'])}"


def at_most(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" for at most {in_words(details['maxPenaltyCents'], details['currency'])}"


def threshold(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    before, after = (
        "none" if cents is None else in_words(cents, details["currency"])
        for cents in (details["before"], details["after"])
    )
    return f" from {before} to {after}"


def new_addresses(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" from {address_list(details['before'])} to {address_list(details['after'])}"


def events(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" for {counted(details['events'], 'event')}"


def what_changed(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f": {', '.join(details['changed'])}"


def of_type(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f": {details['type']}"


def why_disabled(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" after {details['failures']} failures in a row" if "failures" in details else ""


def signing(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return ": the old one ended at once" if details["immediate"] else ": both sign for 24 hours"


def how_far(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    moved, ahead = (timedelta(seconds=details[name]) for name in ("seconds", "offsetSeconds"))
    return f" by {span(moved)}; it is {span(ahead)} ahead now"


def until(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" until {day(details['until'])}"


def reason(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f": {details['reason']}" if "reason" in details else ""


def of_whom(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" of {details['of']}" if "of" in details else ""


def for_whom(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    more = f", and {details['untold']} times more in the hour before" if "untold" in details else ""
    return f" for {details['of']}{more}"


def of_whom_to(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" of {details['of']} to {details['to']}"


def how_many_bookings(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" of {counted(range(details['bookings']), 'booking')}"


def status(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    return f" from {details['before']} to {details['after']}"


def terms(entry: AccountAuditEntry, details: dict[str, Any]) -> str:
    changes = details["changes"].items()
    return ": " + ", ".join(
        f"{LIMITS.get(name, name)} {value(old)} → {value(new)}" for name, (old, new) in changes
    )


SENTENCES: dict[str, tuple[str, Ending]] = {
    AuditAction.MEMBER_INVITED: ("invited", as_role),
    AuditAction.INVITATION_RESENT: ("sent another link to", no_ending),
    AuditAction.INVITATION_WITHDRAWN: ("withdrew the invitation of", no_ending),
    AuditAction.MEMBER_JOINED: ("joined", as_role),
    AuditAction.MEMBER_ADDED: ("added", as_role),
    AuditAction.ROLE_CHANGED: ("changed the role of", change_of_role),
    AuditAction.MEMBER_REMOVED: ("removed", no_ending),
    AuditAction.KEY_CREATED: ("created the key", scopes),
    AuditAction.KEY_ROTATED: ("rotated the key", rotation),
    AuditAction.KEY_OLD_SECRETS_ENDED: ("ended the old secret of the key", early_end),
    AuditAction.KEY_REVOKED: ("revoked the key", no_ending),
    AuditAction.KEY_RENAMED: ("renamed the key", names),
    AuditAction.KEY_ALLOWED_IPS_CHANGED: ("changed the addresses of the key", new_addresses),
    AuditAction.ENDPOINT_CREATED: ("registered the endpoint", events),
    AuditAction.ENDPOINT_CHANGED: ("changed the endpoint", what_changed),
    AuditAction.ENDPOINT_ENABLED: ("enabled the endpoint", no_ending),
    AuditAction.ENDPOINT_DISABLED: ("disabled the endpoint", why_disabled),
    AuditAction.ENDPOINT_SECRET_ROTATED: ("rotated the signing secret of", signing),
    AuditAction.ENDPOINT_DELETED: ("deleted the endpoint", no_ending),
    AuditAction.SANDBOX_CLOCK_MOVED: ("moved the clock of the sandbox", how_far),
    AuditAction.ENDPOINT_EXAMINED: ("started an exam of the endpoint", no_ending),
    AuditAction.ENDPOINT_SENT_SAMPLE: ("sent a sample to the endpoint", of_type),
    AuditAction.BOOKING_CANCELLED: ("asked to cancel the booking", at_most),
    AuditAction.ACCESS_REQUESTED: ("asked for live keys", no_ending),
    AuditAction.ACCESS_APPROVED: ("approved live keys", until),
    AuditAction.ACCESS_REFUSED: ("declined the request for live keys", reason),
    AuditAction.ACCESS_WITHDRAWN: ("ended the approval for live keys", no_ending),
    AuditAction.ACCESS_LAPSED: (
        "told the owners that the approval for live keys expired",
        no_ending,
    ),
    AuditAction.SANDBOX_OPENED: ("opened the sandbox", no_ending),
    AuditAction.SANDBOX_RENAMED: ("renamed the sandbox", names),
    AuditAction.SANDBOX_RESET: ("reset the sandbox", no_ending),
    AuditAction.SANDBOX_FUNDED: ("added funds to the sandbox", funds),
    AuditAction.SANDBOX_CLOSED: ("closed the sandbox", no_ending),
    AuditAction.SANDBOX_STOPPED: ("made the sandbox read-only, because its ledger differs:", no_ending),
    AuditAction.SANDBOX_STARTED: ("made the sandbox active", no_ending),
    AuditAction.TRAVELLERS_ERASED: ("erased the travellers of", no_ending),
    AuditAction.TRAVELLERS_FORGOTTEN: ("forgot travellers whose time was over", how_many_bookings),
    AuditAction.BALANCE_WARNING_CHANGED: ("changed the warning of a low balance", threshold),
    AuditAction.CHAT_SET: ("lets notifications be sent to the chat at", no_ending),
    AuditAction.CHAT_REMOVED: ("ended notifications to the chat at", no_ending),
    AuditAction.STATUS_CHANGED: ("changed the status of the account", status),
    AuditAction.TERMS_CHANGED: ("changed the account", terms),
    AuditAction.READ_BY_SUPPORT: ("looked at this portal without changing anything", reason),
    AuditAction.SIGNED_IN: ("signed in", no_ending),
    AuditAction.SIGNED_OUT: ("signed out", no_ending),
    AuditAction.SIGN_IN_FAILED: ("gave a wrong password", for_whom),
    AuditAction.CODE_FAILED: ("gave a wrong two-factor code", for_whom),
    AuditAction.RESET_LINK_SENT: ("asked for a link to a new password", for_whom),
    AuditAction.PASSWORD_RENEWED: ("chose a new password with the link in a mail", no_ending),
    AuditAction.PASSWORD_CHANGED: ("changed their password", no_ending),
    AuditAction.PASSWORD_RESET: ("changed the password", of_whom),
    AuditAction.TWO_FACTOR_SET_UP: ("set up two-factor", no_ending),
    AuditAction.TWO_FACTOR_REMOVED: ("removed two-factor", of_whom),
    AuditAction.RECOVERY_CODES_RENEWED: ("made new recovery codes", no_ending),
    AuditAction.ADDRESS_CHANGED: ("changed the address", of_whom_to),
    AuditAction.SIGN_IN_SWITCHED_OFF: ("switched off the sign-in", of_whom),
    AuditAction.SIGN_IN_SWITCHED_ON: ("switched the sign-in on again", of_whom),
}


def sentences_of(entries: Sequence[AccountAuditEntry]) -> list[AuditSentence]:
    """At most one query, which finds the endpoints that still have a page."""
    endpoints = {entry.subject_id for entry in entries if entry.subject_type == "endpoint"}
    existing: set[str] = set()
    if endpoints:
        existing = set(
            Endpoint.objects.filter(pk__in=endpoints, deleted_at=None).values_list("pk", flat=True)
        )
    return [sentence_of(entry, existing) for entry in entries]


def sentence_of(entry: AccountAuditEntry, existing: Collection[str]) -> AuditSentence:
    verb, write_ending = SENTENCES.get(entry.action, (entry.action, no_ending))
    return AuditSentence(
        entry=entry,
        who=entry.actor_label,
        verb=verb,
        subject="" if entry.action == AuditAction.MEMBER_JOINED else entry.subject_name,
        ending=write_ending(entry, entry.details),
        link=link_to(entry, existing),
        group=GROUPS.get(entry.group, entry.group),
    )


def link_to(entry: AccountAuditEntry, existing: Collection[str]) -> str | None:
    if entry.subject_type == "key":
        return reverse("portal:key", args=[entry.environment, entry.subject_id])
    if entry.subject_type == "booking":
        return reverse("portal:booking", args=[entry.environment, entry.subject_id])
    if entry.subject_type == "endpoint" and entry.subject_id in existing:
        return reverse("portal:endpoint", args=[entry.environment, entry.subject_id])
    return None


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


def counted(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"


def role(name: str) -> str:
    return Role(name).label.lower()


def value(limit: object) -> str:
    return "the default" if limit is None else str(limit)


def day(instant: str) -> str:
    at = datetime.fromisoformat(instant)
    return f"{at.day} {at:%b %Y}"
