"""What the doctor can find, each with its mend. The worst comes first in `Code`."""

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """The kinds of findings, in the order in which they are shown."""

    BODY_EMPTY = "body_empty"
    BODY_COMPRESSED = "body_compressed"
    BODY_ENCODED = "body_encoded"
    BODY_CUT = "body_cut"
    BODY_CHARSET = "body_charset"
    BODY_RESERIALISED = "body_reserialised"
    BODY_CHANGED = "body_changed"
    WRONG_HEADER_NAME = "wrong_header_name"
    HEADER_MISSING = "header_missing"
    HEADER_WHITESPACE = "header_whitespace"
    HEADER_CASE = "header_case"
    HEADER_CUT = "header_cut"
    V1_MISSING = "v1_missing"
    TIMESTAMP_MISSING = "timestamp_missing"
    TIMESTAMP_FORM = "timestamp_form"
    TIMESTAMP_CHANGED = "timestamp_changed"
    SIGNATURE_ENCODING = "signature_encoding"
    SIGNATURE_CASE = "signature_case"
    WRONG_EVENT_ID = "wrong_event_id"
    OTHER_ENDPOINT_SECRET = "other_endpoint_secret"  # noqa: S105 - the name of a finding
    PREVIOUS_SECRET_ENDED = "previous_secret_ended"  # noqa: S105
    PREVIOUS_SECRET = "previous_secret"  # noqa: S105
    TIMESTAMP_OFF = "timestamp_off"
    KEY_FORM = "key_form"
    SIGNED_TEXT = "signed_text"
    DIGEST = "digest"
    COMPARISON = "comparison"
    UNKNOWN_SECRET = "unknown_secret"  # noqa: S105
    COMPUTED_UNKNOWN = "computed_unknown"
    SIGNED_LONG_AGO = "signed_long_ago"
    EVENT_UNKNOWN = "event_unknown"


NOTES = frozenset({Code.SIGNED_LONG_AGO, Code.EVENT_UNKNOWN})
"""No faults: what is worth knowing beside the verdict."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`where` says the place or the measure: an offset, seconds, a header's name, an endpoint's address."""

    code: Code
    where: str = ""

    @property
    def is_fault(self) -> bool:
        return self.code not in NOTES

    @property
    def title(self) -> str:
        return TEXTS[self.code].title

    @property
    def mend(self) -> str:
        return TEXTS[self.code].mend

    @property
    def code_line(self) -> str:
        return TEXTS[self.code].code_line


@dataclass(frozen=True, slots=True)
class Text:
    title: str
    mend: str
    code_line: str = ""


RAW_BODY = "body = request.get_data()         # Flask; request.body in Django, express.raw() in Node"
COMPARE = 'any(hmac.compare_digest(expected, v1) for v1 in values of "v1=")'

TEXTS: dict[Code, Text] = {
    Code.BODY_EMPTY: Text(
        "The body is empty.",
        "Read the body before a framework consumes it, and keep the bytes for the check.",
        RAW_BODY,
    ),
    Code.BODY_COMPRESSED: Text(
        "The body is compressed; we sent it plain.",
        "Switch off compression of requests in the proxy, or unpack the body before the check.",
    ),
    Code.BODY_ENCODED: Text(
        "The body is base64; we sent it plain.",
        "Decode it before the check: some gateways wrap bodies, as API Gateway does with isBase64Encoded.",
        'body = base64.b64decode(event["body"])',
    ),
    Code.BODY_CUT: Text(
        "The body is cut short.",
        "Read as many bytes as Content-Length says, and raise the limit of the proxy or framework.",
        'body = self.rfile.read(int(self.headers["Content-Length"]))',
    ),
    Code.BODY_CHARSET: Text(
        "The body was read in another character set than UTF-8.",
        "Check the bytes as they came in, or decode and encode them as UTF-8.",
        RAW_BODY,
    ),
    Code.BODY_RESERIALISED: Text(
        "The body was parsed and written again.",
        "Check the raw bytes of the request, and parse them afterwards.",
        RAW_BODY,
    ),
    Code.BODY_CHANGED: Text(
        "The body is not the one that was signed.",
        "Check the bytes before anything alters them, and paste body and headers of the same request.",
        RAW_BODY,
    ),
    Code.WRONG_HEADER_NAME: Text(
        "The signature is in a header of another name.",
        "Read X-Service-Signature or webhook-signature, in any case, and let the proxy pass it on as it is.",
        'signature = request.headers["X-Service-Signature"]',
    ),
    Code.HEADER_MISSING: Text(
        "There is no signature among the headers.",
        "Paste all headers; if it is not among them, let the proxy pass on X-Service-Signature and the three webhook-… headers.",
    ),
    Code.HEADER_WHITESPACE: Text(
        "There are spaces, line breaks or quotes inside the signature.",
        "Take the header's value as it came in, without wrapping or quoting it.",
    ),
    Code.HEADER_CASE: Text(
        "The names inside the header were written in capitals.",
        "Pass the header's value on unchanged: t and v1 are small letters.",
    ),
    Code.HEADER_CUT: Text(
        "The signature is cut short.",
        "Keep the whole header: up to 256 characters while a secret is rotated. Look at columns and proxies that cut it.",
    ),
    Code.V1_MISSING: Text(
        "There is no v1 value in the signature.",
        "Read the whole header. It has commas in it, at which some frameworks split a header into a list.",
        'values = [part[3:] for part in header.split(",") if part.startswith("v1=")]',
    ),
    Code.TIMESTAMP_MISSING: Text(
        "There is no timestamp beside the signature.",
        "Read the whole header: t=… comes before v1=…; webhook-timestamp is a header of its own.",
    ),
    Code.TIMESTAMP_FORM: Text(
        "The timestamp is not in Unix seconds.",
        "Use the digits as they came in: they are part of what is signed.",
        'signed = timestamp.encode() + b"." + body',
    ),
    Code.TIMESTAMP_CHANGED: Text(
        "The timestamp is not the one that was signed.",
        "Take the timestamp from the same header as the signature, of the same request.",
    ),
    Code.SIGNATURE_ENCODING: Text(
        "The signature is written in another encoding.",
        "X-Service-Signature is hexadecimal, webhook-signature is base64: write yours in the same form.",
        "expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()",
    ),
    Code.SIGNATURE_CASE: Text(
        "The signature is in capital letters.",
        "Write yours in small letters, and pass ours on unchanged.",
        "expected = expected.lower()",
    ),
    Code.WRONG_EVENT_ID: Text(
        "webhook-id is not the id of the event in the body.",
        "Use headers and body of the same request: webhook-id is part of what webhook-signature signs.",
    ),
    Code.OTHER_ENDPOINT_SECRET: Text(
        "It is made with the secret of another endpoint.",
        "Each endpoint has a secret of its own. Give the receiver the one of the endpoint that calls it.",
    ),
    Code.PREVIOUS_SECRET_ENDED: Text(
        "It is made with the previous secret, which signs no more.",
        "Give the receiver the secret that the last rotation showed; if nobody has it, rotate again.",
    ),
    Code.PREVIOUS_SECRET: Text(
        "It is made with the previous secret, which was replaced.",
        "Deploy the new secret before the overlap ends, and accept a delivery when any of its v1 values fits.",
        COMPARE,
    ),
    Code.TIMESTAMP_OFF: Text(
        "The timestamp is more than five minutes off.",
        "Set the receiver's clock by NTP, and check a delivery when it arrives, not when a queue hands it on.",
        "timedatectl set-ntp true",
    ),
    Code.KEY_FORM: Text(
        "Your code uses the secret in another form as its key.",
        "For X-Service-Signature the key is the whole text with whsec_; for webhook-signature the decoded base64 after it.",
        "hmac.new(secret.encode(), signed, hashlib.sha256)",
    ),
    Code.SIGNED_TEXT: Text(
        "Your code signs another text.",
        "Sign timestamp, dot, body for X-Service-Signature; id, dot, timestamp, dot, body for webhook-signature.",
        'signed = timestamp.encode() + b"." + body',
    ),
    Code.DIGEST: Text(
        "Your code uses another hash function.",
        "Both signatures are HMAC with SHA-256.",
        "hmac.new(secret.encode(), signed, hashlib.sha256)",
    ),
    Code.COMPARISON: Text(
        "Your code computes the right signature and refuses it all the same.",
        "Compare it with each v1 value alone, without the `v1=` before it; one that fits is enough.",
        COMPARE,
    ),
    Code.UNKNOWN_SECRET: Text(
        "None of this account's secrets made this signature over this body.",
        "Paste body and headers of one request, unshortened. If they are, the secret was voided or is not ours: rotate it.",
    ),
    Code.COMPUTED_UNKNOWN: Text(
        "No secret of this account, used in any usual way, gives what your code computed.",
        "Look at the secret that the receiver has loaded: a line break at its end, another environment, one that was voided.",
        "secret = secret.strip()",
    ),
    Code.SIGNED_LONG_AGO: Text(
        "It was signed more than five minutes ago.",
        "That is as it should be for a delivery of earlier. Say when it arrived to have its timestamp judged.",
    ),
    Code.EVENT_UNKNOWN: Text(
        "The event of this body is not among those of the last 30 days.",
        "The body was judged by its signature alone, without the original to compare it with.",
    ),
}


def in_order(findings: list[Finding]) -> list[Finding]:
    """Each code once, the worst first."""
    first: dict[Code, Finding] = {}
    for finding in findings:
        first.setdefault(finding.code, finding)
    return [first[code] for code in Code if code in first]
