"""The two signatures of a delivery, each understood by ready-made verifiers (contract §3, Webhooks).

`X-Service-Signature: t=<unix seconds>,v1=<hex>` is HMAC-SHA256 over `t.body`, keyed with the whole secret as
text: what the `stripe` libraries verify. `webhook-signature: v1,<base64>` is HMAC-SHA256 over `id.t.body`,
keyed with the decoded part of the secret: Standard Webhooks. Both carry one value for every valid secret.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """`whsec_` and the base64 of 32 random bytes."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature_headers(
    *, event_id: str, timestamp: int, body: bytes, signing_secrets: Sequence[str]
) -> dict[str, str]:
    """The signature headers of one attempt; `timestamp` in Unix seconds.

    The bytes signed must be the bytes sent.
    """
    return {
        "X-Service-Signature": _service_signature(timestamp, body, signing_secrets),
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": _standard_signature(event_id, timestamp, body, signing_secrets),
    }


def _service_signature(timestamp: int, body: bytes, signing_secrets: Sequence[str]) -> str:
    signed = b"%d.%b" % (timestamp, body)
    values = [hmac.digest(secret.encode(), signed, hashlib.sha256).hex() for secret in signing_secrets]
    return ",".join([f"t={timestamp}", *(f"v1={value}" for value in values)])


def _standard_signature(event_id: str, timestamp: int, body: bytes, signing_secrets: Sequence[str]) -> str:
    signed = b"%b.%d.%b" % (event_id.encode(), timestamp, body)
    keys = [base64.b64decode(secret.removeprefix(PREFIX)) for secret in signing_secrets]
    values = [base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in keys]
    return " ".join(f"v1,{value}" for value in values)
