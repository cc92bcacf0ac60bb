"""Reads the two signature headers leniently: what was meant, and what is wrong with how it is written."""

import base64
import binascii
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from apps.webhooks.doctor.findings import Code, Finding
from apps.webhooks.doctor.pasted import Headers, name_by_look, value_of

SERVICE, STANDARD = "X-Service-Signature", "webhook-signature"
HEX_DIGITS, BASE64_CHARACTERS, DIGEST_BYTES = 64, 44, 32
MOST_VALUES = 8
MILLISECONDS_DIGITS = 13


@dataclass(frozen=True, slots=True)
class Value:
    """One v1 value. `digest` is None where it cannot be read; `faults` are those of how it is written."""

    digest: bytes | None
    faults: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureHeader:
    """`timestamp`: the digits that are signed, or nothing. `event_id`: what the standard scheme signs; else nothing."""

    scheme: str
    timestamp: str
    event_id: str
    values: tuple[Value, ...]
    faults: list[Finding] = field(default_factory=list)


def signatures_of(headers: Headers) -> tuple[list[SignatureHeader], list[Finding]]:
    """The signatures among the headers, and what is wrong with their names."""
    service, standard = value_of(headers, SERVICE.lower()), value_of(headers, STANDARD)
    faults: list[Finding] = []
    if service is None and standard is None:
        renamed = [(name, value, name_by_look(value)) for name, value in headers if name_by_look(value)]
        for name, value, look in renamed[:1]:
            faults.append(Finding(Code.WRONG_HEADER_NAME, f"it is in {name[:60]}"))
            service, standard = (value, None) if look == SERVICE.lower() else (None, value)
    found = []
    if service is not None and service.strip():
        found.append(read_service(service))
    if standard is not None and standard.strip():
        found.append(read_standard(standard, headers))
    return found, faults if found else [Finding(Code.HEADER_MISSING)]


def read_service(raw: str) -> SignatureHeader:
    """`t=<unix seconds>,v1=<hex>[,v1=<hex>]`"""
    text, faults = _tidied(raw)
    fields = [part.partition("=") for part in text.split(",")]
    if any(name != name.lower() for name, _, _ in fields):
        faults.append(Finding(Code.HEADER_CASE, f"in {SERVICE}"))
    timestamp = next((value for name, _, value in fields if name.lower() == "t"), "")
    texts = [value for name, _, value in fields if name.lower() == "v1"][:MOST_VALUES]
    if not texts:
        faults.append(Finding(Code.V1_MISSING, f"in {SERVICE}"))
    if not timestamp:
        faults.append(Finding(Code.TIMESTAMP_MISSING, f"in {SERVICE}"))
    header = SignatureHeader(SERVICE, timestamp, "", tuple(map(hex_value, texts)), faults)
    return _with_timestamp_judged(header)


def read_standard(raw: str, headers: Headers) -> SignatureHeader:
    """`v1,<base64>[ v1,<base64>]`, with webhook-id and webhook-timestamp beside it."""
    text = unquote(raw)
    faults = [] if text == raw else [Finding(Code.SIGNATURE_ENCODING, "it is percent-encoded")]
    if text != text.strip() or re.search(r"[\n\t\"']|,\s|\s,|\s\s", text):
        faults.append(Finding(Code.HEADER_WHITESPACE, f"in {STANDARD}"))
        text = ",".join(part.strip() for part in re.sub(r"[\"']", "", text).split(","))
    texts = [part[3:] for part in text.split() if part.lower().startswith("v1,")][:MOST_VALUES]
    if not texts:
        faults.append(Finding(Code.V1_MISSING, f"in {STANDARD}"))
    timestamp = (value_of(headers, "webhook-timestamp") or "").strip()
    event_id = (value_of(headers, "webhook-id") or "").strip()
    if not timestamp:
        faults.append(Finding(Code.TIMESTAMP_MISSING, "webhook-timestamp is not among the headers"))
    if not event_id:
        faults.append(Finding(Code.HEADER_MISSING, "webhook-id is not among them"))
    header = SignatureHeader(STANDARD, timestamp, event_id, tuple(map(base64_value, texts)), faults)
    return _with_timestamp_judged(header)


def hex_value(text: str) -> Value:
    digits = re.fullmatch(r"[0-9a-fA-F]*", text)
    if digits and len(text) == HEX_DIGITS:
        capitals = (Finding(Code.SIGNATURE_CASE, f"in {SERVICE}"),) if text != text.lower() else ()
        return Value(bytes.fromhex(text), capitals)
    if (digest := _from_base64(text)) is not None:
        return Value(
            digest, (Finding(Code.SIGNATURE_ENCODING, f"base64 in {SERVICE}, where it is hexadecimal"),)
        )
    said = f"{len(text)} of {HEX_DIGITS} characters in {SERVICE}"
    return Value(
        None, (Finding(Code.HEADER_CUT if len(text) < HEX_DIGITS else Code.SIGNATURE_ENCODING, said),)
    )


def base64_value(text: str) -> Value:
    if len(text) == HEX_DIGITS and re.fullmatch(r"[0-9a-fA-F]*", text):
        found = Finding(Code.SIGNATURE_ENCODING, f"hexadecimal in {STANDARD}, where it is base64")
        return Value(bytes.fromhex(text), (found,))
    if (digest := _from_base64(text)) is not None:
        plain = base64.b64encode(digest).decode() == text
        other = Finding(Code.SIGNATURE_ENCODING, f"another alphabet or no padding in {STANDARD}")
        return Value(digest, () if plain else (other,))
    said = f"{len(text)} of {BASE64_CHARACTERS} characters in {STANDARD}"
    short = len(text) < BASE64_CHARACTERS
    return Value(None, (Finding(Code.HEADER_CUT if short else Code.SIGNATURE_ENCODING, said),))


def _from_base64(text: str) -> bytes | None:
    """A digest in base64 of either alphabet, with or without padding."""
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if len(decoded) == DIGEST_BYTES else None


def _tidied(raw: str) -> tuple[str, list[Finding]]:
    text = unquote(raw)
    faults = [] if text == raw else [Finding(Code.SIGNATURE_ENCODING, "it is percent-encoded")]
    tidy = re.sub(r"[\s\"']", "", text)
    if tidy != text:
        faults.append(Finding(Code.HEADER_WHITESPACE, f"in {SERVICE}"))
    return tidy, faults


def _with_timestamp_judged(header: SignatureHeader) -> SignatureHeader:
    digits = header.timestamp.isascii() and header.timestamp.isdigit()
    if header.timestamp and (not digits or len(header.timestamp) >= MILLISECONDS_DIGITS):
        said = "milliseconds" if digits else "no plain number"
        header.faults.append(Finding(Code.TIMESTAMP_FORM, f"{said} in {header.scheme}"))
    return header
