"""Our deliveries as two independent verifiers see them: the `stripe` and `standardwebhooks` packages, unchanged."""

import base64
import hashlib
import hmac
import time

import standardwebhooks
import stripe

from apps.webhooks.signatures import new_secret, signature_headers

BODY = '{"id":"evt_1","type":"booking.confirmed","data":{"guest":"Zoë"}}'.encode()


def headers_of(*secrets: str, timestamp: int | None = None) -> dict[str, str]:
    return signature_headers(
        event_id="evt_1",
        timestamp=int(time.time()) if timestamp is None else timestamp,
        body=BODY,
        signing_secrets=secrets,
    )


def stripe_accepts(headers: dict[str, str], secret: str) -> bool:
    try:
        stripe.WebhookSignature.verify_header(BODY.decode(), headers["X-Service-Signature"], secret, 300)
    except stripe.SignatureVerificationError:
        return False
    return True


def standard_webhooks_accepts(headers: dict[str, str], secret: str) -> bool:
    try:
        standardwebhooks.Webhook(secret).verify(BODY, headers)
    except standardwebhooks.WebhookVerificationError:
        return False
    return True


def test_secret_is_whsec_and_32_random_bytes() -> None:
    secret = new_secret()
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert new_secret() != secret


def test_in_a_rotation_both_secrets_verify() -> None:
    new, previous = new_secret(), new_secret()
    headers = headers_of(new, previous)
    assert [stripe_accepts(headers, secret) for secret in (new, previous)] == [True, True]
    assert [standard_webhooks_accepts(headers, secret) for secret in (new, previous)] == [True, True]


def test_another_secret_and_an_old_timestamp_are_refused() -> None:
    secret = new_secret()
    late = headers_of(secret, timestamp=int(time.time()) - 301)
    assert (stripe_accepts(headers_of(secret), new_secret()), stripe_accepts(late, secret)) == (False, False)
    assert not standard_webhooks_accepts(headers_of(secret), new_secret())
    assert not standard_webhooks_accepts(late, secret)


def test_signatures_are_spelled_as_specified() -> None:
    secret = "whsec_" + base64.b64encode(b"k" * 32).decode()
    service = hmac.new(secret.encode(), b"1700000000." + BODY, hashlib.sha256).hexdigest()
    standard = base64.b64encode(
        hmac.new(b"k" * 32, b"evt_1.1700000000." + BODY, hashlib.sha256).digest()
    ).decode()
    assert headers_of(secret, timestamp=1_700_000_000) == {
        "X-Service-Signature": f"t=1700000000,v1={service}",
        "webhook-id": "evt_1",
        "webhook-timestamp": "1700000000",
        "webhook-signature": f"v1,{standard}",
    }
