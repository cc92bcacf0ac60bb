"""The bounds of what is judged: of times, of ids, and of a delivery of which little is known."""

import gzip
from datetime import timedelta

import pytest

from tests.webhooks.doctor.cases import (
    BODY,
    CURRENT,
    ENDED,
    EVENT_ID,
    NOW,
    PREVIOUS,
    SIGNED_AT,
    codes,
    judged,
    known,
    only,
    signed,
    where,
)

SERVICE = "X-Service-Signature"
NOW_SECONDS = int(NOW.timestamp())


@pytest.mark.parametrize(
    ("at", "found"),
    [(300, []), (301, ["timestamp_off"]), (-300, []), (-301, ["signed_long_ago"])],
)
def test_without_the_time_of_arrival_five_minutes_from_now_are_allowed(at: int, found: list[str]) -> None:
    assert codes(judged(signed(at=NOW_SECONDS + at))) == found


def test_times_are_judged_as_long_as_they_are_times() -> None:
    far = judged(signed(at=10**10))
    assert codes(far) == ["timestamp_off"]
    assert where(far).endswith(" s in the future")
    assert judged(signed(at=10**12 - 1)).findings == [], "no date has as many seconds"
    ended = judged(signed(BODY, PREVIOUS, at=10**12 - 1))
    assert codes(ended) == ["previous_secret"]


def test_a_previous_secret_signs_until_the_very_moment_of_its_end() -> None:
    assert ENDED.ended_at is not None
    end = int(ENDED.ended_at.timestamp())
    secrets = (CURRENT, ENDED)
    at_the_end = judged(signed(BODY, ENDED, at=end), received_at=ENDED.ended_at, secrets=secrets)
    assert where(at_the_end) == "it ended at 2026-11-20T12:00:00.000Z"
    just_before = judged(signed(BODY, ENDED, at=end - 1), received_at=ENDED.ended_at, secrets=secrets)
    assert [(each.code.value, each.where) for each in just_before.findings] == [
        (
            "previous_secret_ended",
            "rotated at 2026-11-19T12:00:00.000Z; the previous one signed until 2026-11-20T12:00:00.000Z",
        )
    ]
    ends_now = known(ended_at=NOW)
    ending = judged(signed(BODY, ends_now), secrets=(CURRENT, ends_now))
    assert codes(ending) == ["previous_secret_ended"]
    assert "the previous one signed until" in where(ending)
    assert where(judged(signed(BODY, PREVIOUS))) == (
        "rotated at 2026-11-22T17:00:00.000Z; the previous one signs until 2026-11-23T17:00:00.000Z"
    )


def test_the_timestamp_is_looked_for_beside_the_header_and_in_milliseconds() -> None:
    value = signed(BODY, PREVIOUS)[SERVICE].partition(",")[2]
    beside = judged({SERVICE: value, "webhook-timestamp": f" {SIGNED_AT} "})
    assert codes(beside) == ["timestamp_missing", "previous_secret"]
    milliseconds = judged({SERVICE: f"t={SIGNED_AT}000,{value}"})
    assert codes(milliseconds) == ["timestamp_form", "previous_secret"]


def test_milliseconds_are_judged_as_the_seconds_that_were_signed() -> None:
    signed_at = SIGNED_AT - 7_200
    headers = {SERVICE: signed(at=signed_at)[SERVICE].replace(str(signed_at), f"{signed_at}000")}
    assert codes(judged(headers)) == ["timestamp_form", "signed_long_ago"]


def body_with(text: str) -> bytes:
    return f'{{"id":{text}}}'.encode()


@pytest.mark.parametrize(
    ("body", "event_id"),
    [
        (body_with(f'"{"a" * 64}"'), "a" * 64),
        (body_with(f'"{"a" * 65}"'), EVENT_ID),
        (body_with('"a"'), "a"),
        (body_with('""'), EVENT_ID),
        (body_with("5"), EVENT_ID),
        (body_with("null"), EVENT_ID),
        (body_with('"a\\u0000"'), EVENT_ID),
        (b"[1]", EVENT_ID),
        (b"no json", EVENT_ID),
        (b'{"id": "evt_cut_short", "ty', "evt_cut_short"),
        (gzip.compress(body_with('"evt_packed"'), mtime=0), "evt_packed"),
    ],
)
def test_the_event_is_the_one_of_the_body_and_else_of_its_header(body: bytes, event_id: str) -> None:
    assert judged(only(signed(), "standard"), body).event_id == event_id


def test_an_id_in_the_header_alone_is_no_longer_than_an_id_may_be() -> None:
    long = "b" * 65
    diagnosis = judged(
        only(signed(b"{}", event_id=long), "standard") | {"webhook-id": long}, b"{}", original=None
    )
    assert diagnosis.event_id == "b" * 64


def test_without_any_id_no_event_is_missed() -> None:
    assert codes(judged({SERVICE: signed(b"{}")[SERVICE]}, b"{}", original=None)) == []


def test_an_empty_body_of_an_unknown_event_is_told() -> None:
    diagnosis = judged(signed(), b" ", original=None, received_at=NOW + timedelta(seconds=1))
    assert codes(diagnosis) == ["body_empty", "event_unknown"]


LONG_NUMBER = b'{"a":' + b"1" * 5_000 + b"}"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (LONG_NUMBER, ["computed_unknown", "event_unknown"]),
        (b" " + LONG_NUMBER, ["body_changed", "computed_unknown", "event_unknown"]),
    ],
)
def test_a_number_of_more_digits_than_python_reads_is_not_compared(body: bytes, found: list[str]) -> None:
    assert sorted(codes(judged(signed(LONG_NUMBER), body, original=None, computed="a" * 64))) == found


@pytest.mark.parametrize("body", [b"\x0c" + BODY, b"\xef\xbb\xbf\x0b" + BODY, BODY + b"\x0b"])
def test_space_that_json_does_not_know_is_space_around_a_body_too(body: bytes) -> None:
    assert codes(judged(signed(), body)) == ["body_reserialised"]
