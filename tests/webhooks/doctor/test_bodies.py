"""What differs between the body that arrived and the one that was signed, and what is read out of a body."""

import base64
import gzip
import json
import zlib

import orjson
import pytest

from apps.webhooks.doctor.bodies import as_we_write, difference, from_base64, unpacked
from tests.webhooks.doctor.cases import BODY

LARGEST = 256 * 1024


def said(body: bytes, original: bytes) -> str:
    found = difference(body, original)
    assert found is not None
    return f"{found.code}: {found.where}"


@pytest.mark.parametrize(
    ("body", "original", "where"),
    [
        (b"x", b"y", "they part at byte 0: “x” where “y” was sent"),
        (b"x", b"{}", "they part at byte 0: “x” where “{}” was sent"),
        (b"{}", b"x", "they part at byte 0: “{}” where “x” was sent"),
        (b"{}", b"null", "they part at byte 0: “{}” where “null” was sent"),
        (b"yes", b"yyes", "they part at byte 1: “es” where “yes” was sent"),
        (b"yes, and more", b"yes", "they part at byte 3: “, and more” where the end was sent"),
        (b"\xff\x00" + b"a" * 30, b"y", f"they part at byte 0: “\\xff\\x00{'a' * 22}” where “y” was sent"),
        (b"aGVsbG8h", b"hello!", "they part at byte 0: “aGVsbG8h” where “hello!” was sent"),
    ],
)
def test_where_two_bodies_part_is_shown_with_what_stands_there(
    body: bytes, original: bytes, where: str
) -> None:
    assert said(body, original) == f"body_changed: {where}"


def test_the_name_of_what_changed_is_cut() -> None:
    body = json.dumps({"a" * 121: 1}).encode()
    assert said(body, b"{}").startswith(f"body_changed: {'a' * 120}; they part at byte 1: ")


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_packed_body_is_unpacked_as_far_as_a_body_may_be_long(pack) -> None:
    assert unpacked(pack(BODY)) == BODY
    assert unpacked(pack(b"a" * (LARGEST + 1))) == b"a" * LARGEST
    assert unpacked(pack(BODY)[:-12]) is not None, "cut short, the start of it is there"


@pytest.mark.parametrize("body", [BODY, b"xyz", b"\x1f\x8b\xff\xff"])
def test_what_is_not_packed_is_not_unpacked(body: bytes) -> None:
    assert unpacked(body) is None


def test_a_body_is_base64_where_there_is_nothing_else_in_it() -> None:
    encoded = base64.b64encode(BODY)
    assert from_base64(b' "' + encoded + b'"\n') == BODY
    assert from_base64(b'["' + encoded + b'"]') is None


def test_a_large_number_that_was_written_out_is_written_as_we_write_it() -> None:
    """JavaScript writes 1e20 with all its zeros."""
    assert as_we_write(b'{"a":100000000000000000000}') == orjson.dumps({"a": 1e20})
