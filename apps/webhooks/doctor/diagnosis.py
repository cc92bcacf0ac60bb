"""Puts together what is wrong with a delivery: its body, its headers, its secret, its time, and what the receiver computed."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.common.clock import rfc3339
from apps.webhooks.doctor.bodies import difference, possible_originals, unpacked
from apps.webhooks.doctor.computed import explain
from apps.webhooks.doctor.findings import Code, Finding, in_order
from apps.webhooks.doctor.json_differences import trimmed
from apps.webhooks.doctor.matching import KnownSecret, Match, Possible, find
from apps.webhooks.doctor.pasted import Headers, value_of
from apps.webhooks.doctor.signature_headers import SERVICE, STANDARD, SignatureHeader, signatures_of

TOLERANCE = timedelta(minutes=5)
"""What receivers are told to allow, and the ready-made verifiers do."""
MOST_DIGITS = 11
EVENT_ID = re.compile(rb'"id"\s*:\s*"(evt_[0-9A-Za-z_]{1,60})"')


Pairs = Sequence[tuple[SignatureHeader, Match | None]]
"""Each signature with what made it, where that was found."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a person gave. `computed`: the signature that the receiver's code came to. Nothing of it is kept."""

    headers: Headers
    body: bytes
    computed: str = ""
    received_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CaseFile:
    """What is known of the account. `timestamps`: of the event's attempts to the endpoint, in Unix seconds."""

    secrets: Sequence[KnownSecret]
    original: bytes | None
    timestamps: Sequence[str]
    now: datetime
    overlap: timedelta
    """For how long both secrets sign after a rotation."""
    ahead: timedelta = timedelta(0)
    """How far the clock of the endpoint's environment is ahead: the times that are told are those of its pages."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`findings`: the worst first. `event_id`: of the pasted event. `compared`: the body was compared with the original."""

    findings: list[Finding]
    event_id: str
    compared: bool
    schemes: list[str]
    """The signatures that were found among the headers."""

    @property
    def is_sound(self) -> bool:
        return not any(finding.is_fault for finding in self.findings)


def event_id_of(body: bytes, headers: Headers) -> str:
    """The id of the event: of the body where it has one, else of its header; or nothing."""
    plain = trimmed(unpacked(body) or body)
    try:
        value = json.loads(plain)
        in_body = value.get("id") if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        found = EVENT_ID.search(plain)
        in_body = found[1].decode() if found else None
    if isinstance(in_body, str) and in_body.isprintable() and 0 < len(in_body) <= 64:
        return in_body
    return (value_of(headers, "webhook-id") or "").strip()[:64]


def diagnose(pasted: Pasted, case: CaseFile) -> Diagnosis:
    """What is wrong, worst first; no fault where a signature is right, in time, and what was computed is right too."""
    headers, findings = signatures_of(pasted.headers)
    event_id = event_id_of(pasted.body, pasted.headers)
    pairs: Pairs = [
        (header, find(header, _possible(header, pasted, case, event_id), case.secrets)) for header in headers
    ]
    for header, match in pairs:
        findings += _of_header(header, match, pasted, case, event_id)
    signed = next((match.body for _, match in pairs if match), case.original)
    if signed is None:
        signed = pasted.body
    elif (changed := difference(pasted.body, signed)) is not None:
        findings.append(changed)
    if not pasted.body.strip():
        findings.append(Finding(Code.BODY_EMPTY))
    findings += _of_computed(pasted, case, pairs, signed, event_id)
    if case.original is None and event_id:
        findings.append(Finding(Code.EVENT_UNKNOWN))
    schemes = [header.scheme for header in headers]
    return Diagnosis(in_order(_without_echoes(findings)), event_id, case.original is not None, schemes)


def _possible(header: SignatureHeader, pasted: Pasted, case: CaseFile, event_id: str) -> Possible:
    beside = (value_of(pasted.headers, "webhook-timestamp") or "").strip()
    times = [each for each in (header.timestamp, beside, header.timestamp[:-3], *case.timestamps) if each]
    ids = [each for each in (header.event_id, event_id) if each]
    return Possible(possible_originals(pasted.body, case.original), times, ids)


def _of_header(
    header: SignatureHeader, match: Match | None, pasted: Pasted, case: CaseFile, event_id: str
) -> list[Finding]:
    """What is wrong with one signature."""
    findings = _of_match(header, match, case) if match else _unexplained(header)
    if header.event_id not in ("", event_id):
        said = f"{header.event_id[:64]} in the header, {event_id} in the body"
        findings.append(Finding(Code.WRONG_EVENT_ID, said))
    timestamp = match.timestamp if match else header.timestamp
    return [*header.faults, *findings, *_of_time(timestamp, pasted.received_at, case.now)]


def _of_match(header: SignatureHeader, match: Match, case: CaseFile) -> list[Finding]:
    """One value was explained: how the others are written does not matter."""
    findings = [*match.value.faults, *_of_secret(match.secret, match.timestamp, case)]
    if header.timestamp not in ("", match.timestamp) and not _has(header.faults, Code.TIMESTAMP_FORM):
        said = f"{header.timestamp[:20]} in {header.scheme}, {match.timestamp} was signed"
        findings.append(Finding(Code.TIMESTAMP_CHANGED, said))
    return findings


def _unexplained(header: SignatureHeader) -> list[Finding]:
    findings = [fault for value in header.values for fault in value.faults]
    readable = header.values and all(value.digest is not None for value in header.values)
    if readable and not _has(header.faults, Code.TIMESTAMP_MISSING, Code.TIMESTAMP_FORM):
        findings.append(Finding(Code.UNKNOWN_SECRET, f"in {header.scheme}"))
    return findings


def _has(findings: Sequence[Finding], *codes: Code) -> bool:
    return any(finding.code in codes for finding in findings)


def _of_secret(secret: KnownSecret, timestamp: str, case: CaseFile) -> list[Finding]:
    if not secret.is_chosen:
        which = "previous secret, " if secret.ended_at else ""
        said = f"{which}{secret.endpoint_url[:120]} ({secret.environment}, {secret.endpoint_id})"
        return [Finding(Code.OTHER_ENDPOINT_SECRET, said)]
    if secret.ended_at is None:
        return []
    signed_at, shown = _instant(timestamp), secret.ended_at + case.ahead
    rotated = rfc3339(shown - case.overlap)
    if signed_at is not None and signed_at >= secret.ended_at:
        return [Finding(Code.PREVIOUS_SECRET_ENDED, f"it ended at {rfc3339(shown)}")]
    until = "signs until" if secret.ended_at > case.now else "signed until"
    code = Code.PREVIOUS_SECRET if secret.ended_at > case.now else Code.PREVIOUS_SECRET_ENDED
    return [Finding(code, f"rotated at {rotated}; the previous one {until} {rfc3339(shown)}")]


def _of_time(timestamp: str, received_at: datetime | None, now: datetime) -> list[Finding]:
    signed_at = _instant(timestamp)
    if signed_at is None:
        return []
    if received_at is not None:
        late = received_at - signed_at
        if abs(late) <= TOLERANCE:
            return []
        seconds = int(abs(late).total_seconds())
        direction = "later than it was signed" if late > timedelta(0) else "before it was signed"
        return [Finding(Code.TIMESTAMP_OFF, f"it arrived {seconds:,} s {direction}")]
    ahead = signed_at - now
    if ahead > TOLERANCE:
        return [Finding(Code.TIMESTAMP_OFF, f"it is {int(ahead.total_seconds()):,} s in the future")]
    if -ahead > TOLERANCE:
        return [Finding(Code.SIGNED_LONG_AGO, f"{int(-ahead.total_seconds()):,} s ago")]
    return []


def _instant(timestamp: str) -> datetime | None:
    if not (timestamp.isascii() and timestamp.isdigit()) or len(timestamp) > MOST_DIGITS:
        return None
    return datetime.fromisoformat("1970-01-01T00:00:00+00:00") + timedelta(seconds=int(timestamp))


def _of_computed(pasted: Pasted, case: CaseFile, pairs: Pairs, signed: bytes, event_id: str) -> list[Finding]:
    """What the receiver's code did. A right signature that it refuses all the same was compared wrongly."""
    if not pasted.computed.strip():
        return []
    first = next((match for _, match in pairs if match), None)
    timestamp = first.timestamp if first else next((header.timestamp for header, _ in pairs), "")
    possible = Possible(possible_originals(pasted.body, case.original), [timestamp], [event_id])
    schemes = [header.scheme for header, _ in pairs] or [SERVICE, STANDARD]
    way = explain(pasted.computed, schemes=schemes, possible=possible, signed=signed, secrets=case.secrets)
    if way is None:
        return [Finding(Code.COMPUTED_UNKNOWN)]
    faults = [*way.faults, *_of_secret(way.secret, timestamp, case)]
    if not faults and first is not None and not _is_sound_so_far(pairs):
        return []
    return faults or [Finding(Code.COMPARISON)]


def _is_sound_so_far(pairs: Pairs) -> bool:
    return all(match and not header.faults and not match.value.faults for header, match in pairs)


def _without_echoes(findings: list[Finding]) -> list[Finding]:
    """An empty body explains a signature that nothing else explains."""
    if not _has(findings, Code.BODY_EMPTY):
        return findings
    return [each for each in findings if each.code not in (Code.UNKNOWN_SECRET, Code.COMPUTED_UNKNOWN)]
