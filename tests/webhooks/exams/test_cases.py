"""What the cases send, beside what receivers make of it."""

import json
from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.webhooks.exams import BY_NAME, REFUSED_RIGHT, Situation
from apps.webhooks.services.send_test import sample_of
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


@pytest.mark.parametrize(("case", "sequences"), [("out_of_order", [2, 1]), ("unknown_field", [1])])
def test_an_event_of_a_booking_has_its_sequence_where_a_delivery_has_it(
    case: str, sequences: list[int]
) -> None:
    now = clock.now()
    situation = Situation("exam_1", "we_1", "test", (new_secret(),), now=now, created_at=now)
    sent = [json.loads(letter.body) for letter in BY_NAME[case].write(situation)]
    assert [event.get("sequence") for event in sent] == sequences
    delivered = sample_of("booking.confirmed", "")
    assert delivered is not None
    assert "sequence" in delivered.payload
    assert ["sequence" in event["data"] for event in (delivered.payload, *sent)] == [False] * (1 + len(sent))


@pytest.mark.parametrize(("sequence", "latest", "worked_on"), [(1, 0, True), (1, 2, False), (None, 2, True)])
def test_the_mend_for_the_order_drops_what_is_older_and_nothing_else(
    sequence: int | None, latest: int, worked_on: bool
) -> None:
    """Run as it stands. Events of before 1.2, and those without a booking, have no sequence."""
    names: dict[str, Any] = {}
    exec(
        f"def take(event, latest):\n    {REFUSED_RIGHT['out_of_order'].code_line}\n    return 'done', 200",
        names,
    )
    sample = sample_of("booking.confirmed", "")
    assert sample is not None
    event = {**sample.payload, "sequence": sequence}
    if sequence is None:
        del event["sequence"]
    assert (names["take"](event, latest) == ("done", 200)) == worked_on
