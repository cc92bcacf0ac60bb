"""The signature doctor: why a receiver rejects a delivery, from what its owner pastes. It only reads; nothing pasted is stored.

No finding contains a secret, or a signature that was not pasted.
"""

import base64
import hmac
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import orjson

from apps.accounts import clocks
from apps.accounts.models import Account
from apps.accounts.sandboxes import rows_of
from apps.common import clock
from apps.common.encryption import decrypt
from apps.common.environments import Environment
from apps.webhooks.models import Endpoint, Event
from apps.webhooks.signatures import PREFIX

SERVICE, STANDARD = "X-Service-Signature", "webhook-signature"
FORMS = {SERVICE: ("hexadecimal", 64), STANDARD: ("base64", 44)}
TOLERANCE_SECONDS = 300

# The kinds of findings, worst first: what is wrong, and in the sentences after it the fix.
TEXTS = {
    "body_empty": "The body is empty. Read it before a framework consumes it.",
    "body_charset": "The body was not read as UTF-8. Verify the bytes of the request, then decode them.",
    "body_reserialised": "The body was parsed and serialized again. Verify the raw bytes, then parse them.",
    "body_changed": "The body is not the one that was signed. Paste the body and headers of one request, unchanged.",
    "header_missing": f"The headers contain no signature. Let your proxy pass on {SERVICE} and the webhook-… headers.",
    "header_cut": "The signature cannot be read. Use the header's whole value: it contains commas.",
    "other_endpoint_secret": "It was made with another endpoint's secret. Configure the secret of the endpoint that is called.",
    "previous_secret_ended": "It was made with a secret that no longer signs. Configure the secret of the last rotation.",
    "previous_secret": "It was made with the previous secret. Deploy the new one before the overlap ends.",
    "timestamp_off": "The timestamp is more than five minutes off. Synchronize your clock by NTP; verify deliveries on arrival.",
    "key_form": f"Your code uses the wrong form of the secret as its key. {SERVICE}: the whole text. {STANDARD}: its base64.",
    "signed_text": f"Your code signs the wrong text. {SERVICE}: `timestamp.body`. {STANDARD}: `id.timestamp.body`.",
    "signature_encoding": f"Your code uses the wrong encoding. {SERVICE} is lower-case hexadecimal, {STANDARD} base64.",
    "comparison": "Your code computes the right signature and rejects it. Compare it with each v1 value, without the `v1=`.",
    "unknown_secret": "None of your secrets made this signature over this body. Paste a whole request, or rotate the secret.",
    "computed_unknown": "None of your secrets gives the signature that your code computed. Check which one the receiver uses.",
    "event_unknown": "No event of the last 30 days has this id. Only the signature was checked.",
}


class Finding(NamedTuple):
    code: str
    where: str = ""

    @property
    def text(self) -> str:
        return TEXTS[self.code]


class Pasted(NamedTuple):
    """`headers` by their names in small letters. `computed`: the signature that the receiver's code came to."""

    headers: Mapping[str, str]
    body: bytes
    computed: str = ""
    received_at: datetime | None = None

    @property
    def event_id(self) -> str:
        value = parsed(self.body)
        found = value.get("id") if isinstance(value, dict) else self.headers.get("webhook-id")
        return found[:64] if isinstance(found, str) and found.isprintable() else ""


class KnownSecret(NamedTuple):
    """`end`: when a previous secret stops signing, by its environment's clock, which is `ahead` of the real one."""

    text: str
    endpoint: Endpoint
    is_chosen: bool
    end: datetime | None = None
    ahead: timedelta = timedelta(0)

    def key(self, scheme: str) -> bytes:
        return self.text.encode() if scheme == SERVICE else base64.b64decode(self.text.removeprefix(PREFIX))

    def findings(self) -> list[Finding]:
        if not self.is_chosen:
            url, place = self.endpoint.url.partition("?")[0][:120], self.endpoint.environment
            return [Finding("other_endpoint_secret", f"{url} ({place}, {self.endpoint.pk})")]
        if self.end is None:
            return []
        code = "previous_secret" if clock.now() < self.end - self.ahead else "previous_secret_ended"
        return [Finding(code, f"it signs until {clock.rfc3339(self.end)}")]


class Signature(NamedTuple):
    """One signature header, and the secret and body that made one of its values."""

    scheme: str
    timestamp: str
    values: Sequence[str]
    made_by: tuple[KnownSecret, bytes] | None = None


class Diagnosis(NamedTuple):
    """`findings`: worst first. `compared`: with the event as it was sent."""

    findings: list[Finding]
    event_id: str
    compared: bool
    schemes: list[str]

    @property
    def is_sound(self) -> bool:
        return all(finding.code == "event_unknown" for finding in self.findings)


def consult_doctor(*, endpoint: Endpoint, pasted: Pasted) -> Diagnosis:
    """Events and secrets are those of the endpoint's partner, of live and of all sandboxes."""
    partner = Account.objects.only("sandbox_of").get(pk=endpoint.account_id).shown_id
    stored_under = list(rows_of(partner).values_list("pk", flat=True))
    event = Event.objects.filter(account__in=stored_under, pk=pasted.event_id).first()
    original, secrets = event.payload.encode() if event else None, secrets_of(stored_under, endpoint)
    signatures = [with_maker(each, pasted, original, secrets) for each in signatures_of(pasted.headers)]
    findings = [each for signature in signatures for each in judge(signature, pasted)]
    signed = next((each.made_by[1] for each in signatures if each.made_by), original)
    if signed is not None and signed != pasted.body:
        findings.append(difference(pasted.body, signed))
    if not signatures:
        findings.append(Finding("header_missing"))
    if pasted.computed:
        explained = explain(pasted, signatures, pasted.body if signed is None else signed, secrets)
        findings += explained or ([] if findings else [Finding("comparison")])
    if original is None and pasted.event_id:
        findings.append(Finding("event_unknown"))
    first = {finding.code: finding for finding in reversed(findings)}
    ordered, schemes = [first[code] for code in TEXTS if code in first], [each.scheme for each in signatures]
    return Diagnosis(ordered, pasted.event_id, original is not None, schemes)


def secrets_of(stored_under: Collection[str], chosen: Endpoint) -> list[KnownSecret]:
    """Current and previous secrets, those of `chosen` first. Deleted endpoints have none."""
    offsets, found = clocks.offsets_of(stored_under), []
    for each in Endpoint.objects.filter(account__in=stored_under, deleted_at=None):
        is_test, end = each.environment == Environment.TEST, each.previous_secret_expires_at
        ahead = offsets.get(each.account_id, clock.NOT_MOVED) if is_test else clock.NOT_MOVED
        found.append(KnownSecret(decrypt(each.secret_encrypted), each, each.pk == chosen.pk))
        if each.previous_secret_encrypted:
            previous = decrypt(each.previous_secret_encrypted)
            found.append(KnownSecret(previous, each, each.pk == chosen.pk, end, ahead))
    return sorted(found, key=lambda secret: (not secret.is_chosen, secret.end is not None))


def signatures_of(headers: Mapping[str, str]) -> list[Signature]:
    service, standard = headers.get(SERVICE.lower(), ""), headers.get(STANDARD, "")
    timestamp = re.search(r"\bt=([0-9]+)", service)
    found = [
        Signature(SERVICE, timestamp[1] if timestamp else "", re.findall(r"\bv1=([^, ]+)", service)[:8]),
        Signature(STANDARD, headers.get("webhook-timestamp", ""), re.findall(r"\bv1,(\S+)", standard)[:8]),
    ]
    return [each for each, header in zip(found, (service, standard), strict=True) if header]


def with_maker(
    signature: Signature, pasted: Pasted, original: bytes | None, secrets: Sequence[KnownSecret]
) -> Signature:
    scheme, timestamp, bodies = signature.scheme, signature.timestamp, possible_bodies(pasted.body, original)
    for secret in secrets:
        for body in bodies if secret.is_chosen else bodies[:2]:
            text = text_of(scheme, timestamp, body, pasted.headers.get("webhook-id", ""))
            digest = hmac.digest(secret.key(scheme), text, "sha256")
            made = digest.hex() if scheme == SERVICE else base64.b64encode(digest).decode()
            if made in signature.values:
                return Signature(scheme, timestamp, signature.values, (secret, body))
    return signature


def judge(signature: Signature, pasted: Pasted) -> list[Finding]:
    scheme, timestamp, whole = signature.scheme, signature.timestamp, FORMS[signature.scheme][1]
    lengths = [len(value) for value in signature.values if len(value) != whole]
    if signature.made_by:
        found = signature.made_by[0].findings()
    elif lengths or not (signature.values and timestamp):
        said = f"{lengths[0]} of {whole} characters" if lengths else "no v1 or no timestamp"
        found = [Finding("header_cut", f"{said} in {scheme}")]
    else:
        found = [Finding("unknown_secret", f"in {scheme}")]
    if pasted.received_at is not None and re.fullmatch("[0-9]{1,11}", timestamp):
        late = int(pasted.received_at.timestamp()) - int(timestamp)
        if abs(late) > TOLERANCE_SECONDS:
            direction = "later than" if late > 0 else "before"
            found.append(Finding("timestamp_off", f"it arrived {abs(late):,} s {direction} it was signed"))
    return found


def explain(
    pasted: Pasted, signatures: Sequence[Signature], signed: bytes, secrets: Sequence[KnownSecret]
) -> list[Finding]:
    """What the receiver's code did to come to its signature; nothing where that is right."""
    text = pasted.computed.strip().removeprefix("v1=").removeprefix("v1,")
    is_hex = re.fullmatch("[0-9a-fA-F]{64}", text) is not None
    try:
        theirs = bytes.fromhex(text) if is_hex else base64.b64decode(text, validate=True)
    except ValueError:
        theirs = b""
    for signature in signatures:
        for secret in secrets:
            for key, message, found in ways(signature, secret, pasted, signed):
                if hmac.compare_digest(hmac.digest(key, message, "sha256"), theirs):
                    ours, written = FORMS[signature.scheme][0], "hexadecimal" if is_hex else "base64"
                    said = f"yours is {written}, {signature.scheme} is {ours}"
                    encoding = [Finding("signature_encoding", said)] if written != ours else []
                    return [*found, *secret.findings(), *encoding]
    return [Finding("computed_unknown")]


def ways(
    signature: Signature, secret: KnownSecret, pasted: Pasted, signed: bytes
) -> Iterator[tuple[bytes, bytes, list[Finding]]]:
    """The right way of signing, and with the endpoint's own secret the usual wrong ones."""
    scheme, at, event_id = signature.scheme, signature.timestamp, pasted.headers.get("webhook-id", "")
    right, bare = secret.key(scheme), secret.text.removeprefix(PREFIX)
    message = text_of(scheme, at, signed, event_id)
    yield right, message, []
    if not secret.is_chosen:
        return
    for body in dict.fromkeys([pasted.body, *possible_bodies(signed, None)]):
        if body != signed:
            yield right, text_of(scheme, at, body, event_id), [difference(body, signed)]
    keys = {"the whole text": secret.text.encode(), "the decoded base64": base64.b64decode(bare)}
    for said, key in {**keys, "the text without whsec_": bare.encode()}.items():
        yield key, message, [Finding("key_form", f"yours is {said}")]
    yield right, signed, [Finding("signed_text", "yours is over the body alone")]
    yield right, at.encode() + signed, [Finding("signed_text", "yours has no dot after the timestamp")]


def text_of(scheme: str, timestamp: str, body: bytes, event_id: str) -> bytes:
    return (f"{timestamp}." if scheme == SERVICE else f"{event_id}.{timestamp}.").encode() + body


def possible_bodies(body: bytes, original: bytes | None) -> list[bytes]:
    """What may have been signed: the body as pasted, as sent, read as UTF-8, written compactly."""
    found = [body, original, latin_undone(body), compact(body)]
    return list(dict.fromkeys(each for each in found if each is not None))


def difference(body: bytes, original: bytes) -> Finding:
    if not body.strip():
        return Finding("body_empty", f"{len(original)} bytes were sent")
    shorter = min(len(body), len(original))
    at = next((at for at in range(shorter) if body[at] != original[at]), shorter)
    place = f"they differ from byte {at}: {shown(body, at)} where {shown(original, at)} was sent"
    if latin_undone(body) == original:
        return Finding("body_charset", place)
    theirs = compact(body, orjson.OPT_SORT_KEYS)
    if theirs is None or theirs != compact(original, orjson.OPT_SORT_KEYS):
        return Finding("body_changed", place)
    outside_strings = re.sub(rb'(?s)"(?:\\.|[^"\\])*"?', b"", body.strip())
    kinds = {"spacing": re.search(rb"\s", outside_strings), "escaped unicode": b"\\u" in body}
    kinds |= {"escaped slashes": b"\\/" in body, "trailing newline": body != body.rstrip()}
    said = ", ".join(kind for kind, is_seen in kinds.items() if is_seen)
    return Finding("body_reserialised", f"{said}; {place}" if said else place)


def shown(body: bytes, at: int) -> str:
    return repr(body[at : at + 24].decode(errors="backslashreplace")) if at < len(body) else "the end"


def parsed(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def compact(body: bytes, option: int | None = None) -> bytes | None:
    """The JSON of `body` in the form of a payload."""
    try:
        return None if (value := parsed(body)) is None else orjson.dumps(value, option=option)
    except (TypeError, RecursionError):
        return None


def latin_undone(body: bytes) -> bytes:
    """Bytes that were read as Latin-1 and written as UTF-8."""
    return body.decode(errors="ignore").encode("latin-1", errors="ignore")
