"""What the cases send, beside what receivers make of it."""

from datetime import timedelta

from apps.common import clock
from apps.webhooks.exams.cases import BY_NAME, Situation
from apps.webhooks.signatures import new_secret, signature_headers


def test_a_stale_event_was_signed_rightly_an_hour_ago() -> None:
    now, secret = clock.now(), new_secret()
    situation = Situation("exam_1", "we_1", "test", (secret,), now=now, created_at=now)
    [letter] = BY_NAME["stale_timestamp"].write(situation)
    right = signature_headers(
        event_id=letter.headers["webhook-id"],
        timestamp=int((now - timedelta(hours=1)).timestamp()),
        body=letter.body,
        signing_secrets=[secret],
    )
    assert right.items() <= letter.headers.items()
