"""An entry of the audit trail in words."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from apps.accounts.models import AccountAuditEntry, AuditAction, Role
from apps.common.money import in_words
from apps.ledger.spend_limits import Limits
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
    "sign_in": "Login",
}

LIMITS = {
    "name": "name",
    "markup_bp": "markup (basis points)",
    "rate_search": "searches a minute",
    "rate_booking": "bookings a minute",
    "rate_read": "reads a minute",
    "search_quota": "searches a day",
    "traveller_retention_days": "days until travellers are erased",
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


Ending = Callable[[dict[str, Any], datetime], str]
"""Writes the end of a sentence from the details of an entry and its time."""


def nothing(details: dict[str, Any], at: datetime) -> str:
    return ""


def names(details: dict[str, Any], at: datetime) -> str:
    return f", which was called “{details['before']}”"


def threshold(details: dict[str, Any], at: datetime) -> str:
    before, after = (
        "none" if cents is None else in_words(cents, details["currency"])
        for cents in (details["before"], details["after"])
    )
    return f" from {before} to {after}"


def how_far(details: dict[str, Any], at: datetime) -> str:
    moved, ahead = (timedelta(seconds=details[name]) for name in ("seconds", "offsetSeconds"))
    return f" by {span(moved)}; it is {span(ahead)} ahead now"


def reason(details: dict[str, Any], at: datetime) -> str:
    return f": {details['reason']}" if "reason" in details else ""


def of_whom(details: dict[str, Any], at: datetime) -> str:
    return f" of {details['of']}" if "of" in details else ""


def for_whom(details: dict[str, Any], at: datetime) -> str:
    more = f", and {details['untold']} more times in the hour before" if "untold" in details else ""
    return f" for {details['of']}{more}"


def terms(details: dict[str, Any], at: datetime) -> str:
    changes = details["changes"].items()
    return ": " + ", ".join(
        f"{LIMITS.get(name, name)} {value(old)} → {value(new)}" for name, (old, new) in changes
    )


def spend_limits(details: dict[str, Any], at: datetime) -> str:
    before, after = (
        limits_in_words(Limits(**details[when]), details["currency"]) for when in ("before", "after")
    )
    return f" from {before} to {after}"


def branding(details: dict[str, Any], at: datetime) -> str:
    said = [
        f"{name.replace('_', ' ')} “{old}” → “{new}”"
        for name, (old, new) in details.get("changes", {}).items()
    ]
    return ": " + ", ".join([*said, *([f"logo {details['logo']}"] if "logo" in details else [])])


def scopes(details: dict[str, Any], at: datetime) -> str:
    """`: added hotels:book; removed esim:book, esim:read`"""
    before, after = details["before"], details["after"]
    added, removed = (
        [each for each in these if each not in those] for these, those in ((after, before), (before, after))
    )
    said = [f"{verb} {', '.join(found)}" for verb, found in (("added", added), ("removed", removed)) if found]
    return f": {'; '.join(said)}" if said else ""


def expiry(instant: str | None) -> str:
    return day(instant) if instant else "never"


def limits_in_words(limits: Limits, currency: str) -> str:
    """`100.00 EUR a booking, 2,000.00 EUR a month`, or `none`."""
    spans = {
        "a booking": limits.per_booking_cents,
        "a day": limits.per_day_cents,
        "a month": limits.per_month_cents,
    }
    found = [f"{in_words(cents, currency)} {span}" for span, cents in spans.items() if cents is not None]
    if limits.approval_above_cents is not None:
        found.append(f"approval above {in_words(limits.approval_above_cents, currency)}")
    return ", ".join(found) or "none"


SENTENCES: dict[str, tuple[str, Ending]] = {
    AuditAction.MEMBER_INVITED: ("invited", lambda details, _: f" as {role(details['role'])}"),
    AuditAction.INVITATION_RESENT: ("sent another link to", nothing),
    AuditAction.INVITATION_WITHDRAWN: ("withdrew the invitation of", nothing),
    AuditAction.MEMBER_JOINED: ("joined", lambda details, _: f" as {role(details['role'])}"),
    AuditAction.MEMBER_ADDED: ("added", lambda details, _: f" as {role(details['role'])}"),
    AuditAction.ROLE_CHANGED: (
        "changed the role of",
        lambda details, _: f" from {role(details['before'])} to {role(details['after'])}",
    ),
    AuditAction.MEMBER_REMOVED: ("removed", nothing),
    AuditAction.KEY_CREATED: (
        "created the key",
        lambda details, _: (
            f" with {counted(len(details['scopes']), 'scope')}, for {address_list(details['allowedIps'])}"
            f"{', until ' + day(details['expiresAt']) if details.get('expiresAt') else ''}"
        ),
    ),
    AuditAction.KEY_ROTATED: (
        "rotated the key",
        lambda details, at: f": {old_secret_end(details['previousSecretsExpireAt'], at)}",
    ),
    AuditAction.KEY_OLD_SECRETS_ENDED: (
        "ended the old secret of the key",
        lambda details, at: f", which had another {span(remaining_after(details['wouldHaveEndedAt'], at))}",
    ),
    AuditAction.KEY_REVOKED: ("revoked the key", nothing),
    AuditAction.KEY_RENAMED: ("renamed the key", names),
    AuditAction.KEY_ALLOWED_IPS_CHANGED: (
        "changed the addresses of the key",
        lambda details, _: f" from {address_list(details['before'])} to {address_list(details['after'])}",
    ),
    AuditAction.KEY_SCOPES_CHANGED: ("changed the scopes of the key", scopes),
    AuditAction.KEY_EXPIRY_CHANGED: (
        "changed when the key expires",
        lambda details, _: f" from {expiry(details['before'])} to {expiry(details['after'])}",
    ),
    AuditAction.KEY_SPEND_LIMITS_CHANGED: ("changed the spend limits of the key", spend_limits),
    AuditAction.ENDPOINT_CREATED: (
        "registered the endpoint",
        lambda details, _: f" for {counted(len(details['events']), 'event')}",
    ),
    AuditAction.ENDPOINT_CHANGED: (
        "changed the endpoint",
        lambda details, _: f": {', '.join(details['changed'])}",
    ),
    AuditAction.ENDPOINT_ENABLED: ("enabled the endpoint", nothing),
    AuditAction.ENDPOINT_DISABLED: (
        "disabled the endpoint",
        lambda details, _: f" after {details['failures']} failures in a row" if "failures" in details else "",
    ),
    AuditAction.ENDPOINT_SECRET_ROTATED: (
        "rotated the signing secret of",
        lambda details, _: (
            ": the old one ended at once" if details["immediate"] else ": both sign for 24 hours"
        ),
    ),
    AuditAction.ENDPOINT_DELETED: ("deleted the endpoint", nothing),
    AuditAction.SANDBOX_CLOCK_MOVED: ("moved the clock of the sandbox", how_far),
    AuditAction.ENDPOINT_EXAMINED: ("started an exam of the endpoint", nothing),
    AuditAction.ENDPOINT_SENT_SAMPLE: (
        "sent a sample to the endpoint",
        lambda details, _: f": {details['type']}",
    ),
    AuditAction.BOOKING_CANCELLED: (
        "requested the cancellation of the booking",
        lambda details, _: f" for at most {in_words(details['maxPenaltyCents'], details['currency'])}",
    ),
    AuditAction.BOOKING_PAID: (
        "requested the payment of the booking",
        lambda details, _: f" at most {in_words(details['maxTotalCents'], details['currency'])}",
    ),
    AuditAction.BOOKING_APPROVED: (
        "approved the booking",
        lambda details, _: f" at {in_words(details['totalCents'], details['currency'])}",
    ),
    AuditAction.BOOKING_DECLINED: ("declined the booking", reason),
    AuditAction.STAY_CHANGED: (
        "requested a change of the booking",
        lambda details, _: f" at most {in_words(details['maxTotalCents'], details['currency'])}",
    ),
    AuditAction.GUEST_CORRECTED: ("requested a correction of the lead guest's name of the booking", nothing),
    AuditAction.REFUND_REQUESTED: (
        "requested a refund of",
        lambda details, _: f": {details['reason'].replace('_', ' ')}",
    ),
    AuditAction.REFUND_DECIDED: (
        "recorded the decision about a refund of",
        lambda details, _: (
            f": {details['decision']}, {in_words(details['refundCents'], details['currency'])}"
        ),
    ),
    AuditAction.ACCESS_REQUESTED: ("requested live keys", nothing),
    AuditAction.ACCESS_APPROVED: ("approved live keys", lambda details, _: f" until {day(details['until'])}"),
    AuditAction.ACCESS_REFUSED: ("declined the request for live keys", reason),
    AuditAction.ACCESS_WITHDRAWN: ("ended the approval for live keys", nothing),
    AuditAction.ACCESS_LAPSED: ("notified the owners that the approval for live keys expired", nothing),
    AuditAction.SANDBOX_OPENED: ("opened the sandbox", nothing),
    AuditAction.SANDBOX_RENAMED: ("renamed the sandbox", names),
    AuditAction.SANDBOX_RESET: ("reset the sandbox", nothing),
    AuditAction.SANDBOX_FUNDED: (
        "added funds to the sandbox",
        lambda details, _: f": {in_words(details['amountCents'], details['currency'])}",
    ),
    AuditAction.SANDBOX_CLOSED: ("closed the sandbox", nothing),
    AuditAction.SANDBOX_STOPPED: ("made the sandbox read-only, because its ledger differs:", nothing),
    AuditAction.SANDBOX_STARTED: ("made the sandbox active", nothing),
    AuditAction.TRAVELLERS_ERASED: ("erased the travellers of", nothing),
    AuditAction.TRAVELLERS_FORGOTTEN: (
        "forgot travellers whose time was over",
        lambda details, _: f" of {counted(details['bookings'], 'booking')}",
    ),
    AuditAction.BALANCE_WARNING_CHANGED: ("changed the warning of a low balance", threshold),
    AuditAction.FOUR_EYES_CHANGED: (
        "changed whether bookings need the approval of a second person",
        lambda details, _: ": they do" if details["required"] else ": they do not",
    ),
    AuditAction.BRANDING_CHANGED: ("changed what documents show of the account", branding),
    AuditAction.CHAT_SET: ("lets notifications be sent to the chat at", nothing),
    AuditAction.CHAT_REMOVED: ("ended notifications to the chat at", nothing),
    AuditAction.STATUS_CHANGED: (
        "changed the status of the account",
        lambda details, _: f" from {details['before']} to {details['after']}",
    ),
    AuditAction.TERMS_CHANGED: ("changed the account", terms),
    AuditAction.READ_BY_SUPPORT: ("viewed this portal in read-only mode", reason),
    AuditAction.SIGNED_IN: ("logged in", nothing),
    AuditAction.SIGNED_OUT: ("logged out", nothing),
    AuditAction.SIGN_IN_FAILED: ("gave a wrong password", for_whom),
    AuditAction.CODE_FAILED: ("gave a wrong two-factor code", for_whom),
    AuditAction.RESET_LINK_SENT: ("requested a link to a new password", for_whom),
    AuditAction.PASSWORD_RENEWED: ("chose a new password with the link in a mail", nothing),
    AuditAction.PASSWORD_CHANGED: ("changed their password", nothing),
    AuditAction.PASSWORD_RESET: ("changed the password", of_whom),
    AuditAction.TWO_FACTOR_SET_UP: ("set up two-factor", nothing),
    AuditAction.PASSKEY_ADDED: ("added a passkey", nothing),
    AuditAction.PASSKEY_REMOVED: ("removed a passkey", nothing),
    AuditAction.TWO_FACTOR_REMOVED: ("removed two-factor", of_whom),
    AuditAction.RECOVERY_CODES_RENEWED: ("made new recovery codes", nothing),
    AuditAction.ADDRESS_CHANGED: (
        "changed the address",
        lambda details, _: f" of {details['of']} to {details['to']}",
    ),
    AuditAction.SIGN_IN_SWITCHED_OFF: ("disabled the login", of_whom),
    AuditAction.SIGN_IN_SWITCHED_ON: ("enabled the login again", of_whom),
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
    verb, write_ending = SENTENCES.get(entry.action, (entry.action, nothing))
    return AuditSentence(
        entry=entry,
        who=entry.actor_label,
        verb=verb,
        subject="" if entry.action == AuditAction.MEMBER_JOINED else entry.subject_name,
        ending=write_ending(entry.details, entry.created_at),
        link=link_to(entry, existing),
        group=GROUPS.get(entry.group, entry.group),
    )


def link_to(entry: AccountAuditEntry, existing: Collection[str]) -> str | None:
    kind = entry.subject_type
    if kind in ("key", "booking") or (kind == "endpoint" and entry.subject_id in existing):
        return reverse(f"portal:{kind}", args=[entry.environment, entry.subject_id])
    return None


def address_list(allowed: list[str]) -> str:
    return ", ".join(allowed) or "every address"


def old_secret_end(end: str, rotated_at: datetime) -> str:
    remaining = remaining_after(end, rotated_at)
    if remaining <= timedelta(0):
        return "the old secret ended at once"
    return f"the old secret got another {span(remaining)}"


def remaining_after(end: str, written_at: datetime) -> timedelta:
    """Rounded to the second: the entry is written a moment after the change, and 24 hours would read as `23 h`."""
    return timedelta(seconds=round((datetime.fromisoformat(end) - written_at).total_seconds()))


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def role(name: str) -> str:
    return Role(name).label.lower()


def value(limit: object) -> str:
    return "the default" if limit is None else str(limit)


def day(instant: str) -> str:
    at = datetime.fromisoformat(instant)
    return f"{at.day} {at:%b %Y}"
