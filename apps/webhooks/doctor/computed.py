"""What a receiver's code did to get the signature that it computed: key, text, body, hash function and encoding."""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.webhooks.doctor.bodies import as_receivers_write, difference
from apps.webhooks.doctor.findings import Code, Finding
from apps.webhooks.doctor.matching import LIKELY_BODIES, KnownSecret, Possible, key_of, signed_text
from apps.webhooks.doctor.signature_headers import SERVICE, STANDARD
from apps.webhooks.signatures import PREFIX

DIGESTS = {32: hashlib.sha256, 20: hashlib.sha1, 64: hashlib.sha512, 48: hashlib.sha384, 16: hashlib.md5}


@dataclass(frozen=True, slots=True)
class Way:
    """One way of signing: its faults are none where it is the right one of its scheme."""

    scheme: str
    body: bytes
    secret: KnownSecret
    faults: tuple[Finding, ...]


def digest_of(text: str) -> tuple[bytes, bool] | None:
    """The bytes of a signature as a person pastes it, and whether it was hexadecimal; None for anything else."""
    bare = re.sub(r"^(t=[0-9]+,)?v1[=,]", "", "".join(text.split()).strip("\"'"))
    try:
        if re.fullmatch(r"[0-9a-fA-F]+", bare) and len(bare) // 2 in DIGESTS:
            return bytes.fromhex(bare), True
        plain = bare.rstrip("=").replace("-", "+").replace("_", "/")
        digest = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return (digest, False) if len(digest) in DIGESTS else None


def explain(
    text: str, *, schemes: Sequence[str], possible: Possible, signed: bytes, secrets: Sequence[KnownSecret]
) -> Way | None:
    """The way that led to `text`; None where no usual one does. `signed` is the body that was signed, as far as is known."""
    read = digest_of(text)
    if read is None:
        return None
    digest, is_hex = read
    function = DIGESTS[len(digest)]
    for way, key, message in _ways(schemes, possible, signed, secrets):
        if hmac.compare_digest(hmac.digest(key, message, function), digest):
            return replace(
                way,
                faults=(
                    *_of_body(way.body, signed),
                    *way.faults,
                    *_of_function(function),
                    *_of_form(way.scheme, is_hex, text),
                ),
            )
    return None


def _of_body(body: bytes, signed: bytes) -> tuple[Finding, ...]:
    changed = difference(body, signed)
    return (changed,) if changed else ()


def _of_function(function: Callable[..., Any]) -> tuple[Finding, ...]:
    name = function().name
    return () if name == "sha256" else (Finding(Code.DIGEST, f"yours is {name.upper()}"),)


def _of_form(scheme: str, is_hex: bool, text: str) -> tuple[Finding, ...]:
    if scheme == SERVICE and not is_hex:
        return (Finding(Code.SIGNATURE_ENCODING, f"yours is base64, {SERVICE} is hexadecimal"),)
    if scheme == STANDARD and is_hex:
        return (Finding(Code.SIGNATURE_ENCODING, f"yours is hexadecimal, {STANDARD} is base64"),)
    if is_hex and text != text.lower():
        return (Finding(Code.SIGNATURE_CASE, "yours has capital letters"),)
    return ()


def _ways(
    schemes: Sequence[str], possible: Possible, signed: bytes, secrets: Sequence[KnownSecret]
) -> Iterator[tuple[Way, bytes, bytes]]:
    """Every way with its key and the text that it signs; those with fewer faults come first.

    The faults are those of key and text; the body is compared where a way fits.
    """
    bodies = list(dict.fromkeys((signed, *possible.bodies, *as_receivers_write(signed))))
    for secret in secrets:
        for body in bodies if secret.is_chosen else bodies[:LIKELY_BODIES]:
            for scheme in schemes:
                for message, of_message in _messages(scheme, body, possible, every=secret.is_chosen):
                    for key, of_key in _keys(secret, scheme, every=secret.is_chosen):
                        yield Way(scheme, body, secret, (*of_message, *of_key)), key, message


def _messages(
    scheme: str, body: bytes, possible: Possible, *, every: bool
) -> Iterator[tuple[bytes, tuple[Finding, ...]]]:
    timestamp, event_id = (*possible.timestamps, "")[0], (*possible.event_ids, "")[0]
    yield signed_text(scheme, timestamp=timestamp, body=body, event_id=event_id), ()
    if not every:
        return
    at, of = timestamp.encode(), event_id.encode()
    others = {
        "the body alone": body,
        "the timestamp without a dot": at + body,
        "the body before the timestamp": body + b"." + at,
        "`t=` before the timestamp": b"t=" + at + b"." + body,
        "the event id without the timestamp": of + b"." + body,
        "a line break instead of the dot": at + b"\n" + body,
    }
    if scheme == SERVICE:
        others["the text of webhook-signature"] = of + b"." + at + b"." + body
    else:
        others["the text of X-Service-Signature"] = at + b"." + body
    for said, message in others.items():
        yield message, (Finding(Code.SIGNED_TEXT, f"yours is over {said}"),)


def _keys(secret: KnownSecret, scheme: str, *, every: bool) -> Iterator[tuple[bytes, tuple[Finding, ...]]]:
    right = key_of(secret, scheme)
    yield right, ()
    if not every:
        return
    bare = secret.text.removeprefix(PREFIX)
    others = {
        "the whole text": secret.text.encode(),
        "the decoded base64": base64.b64decode(bare),
        "the text without whsec_": bare.encode(),
        "the text with a line break at its end": secret.text.encode() + b"\n",
    }
    for said, key in others.items():
        if key != right:
            yield key, (Finding(Code.KEY_FORM, f"yours is {said}"),)
