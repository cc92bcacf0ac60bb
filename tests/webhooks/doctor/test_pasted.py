import base64

import pytest

from apps.webhooks.doctor.pasted import BASE64, HEX, TEXT, body_of, headers_of

SERVICE = ("x-service-signature", "t=1,v1=0123456789abcdef")


@pytest.mark.parametrize(
    "text",
    [
        "X-Service-Signature: t=1,v1=0123456789abcdef",
        "POST /hooks HTTP/1.1\r\nHost: a.example\r\nx-service-signature:t=1,v1=0123456789abcdef\r\n",
        '{\n  "Host": "a.example",\n  "X-Service-Signature": "t=1,v1=0123456789abcdef",\n}',
        "'HTTP_X_SERVICE_SIGNATURE' => 't=1,v1=0123456789abcdef',",
        "-H 'X-Service-Signature: t=1,v1=0123456789abcdef' \\",
        "t=1,v1=0123456789abcdef",
    ],
)
def test_headers_are_read_as_logs_and_dumps_write_them(text: str) -> None:
    assert SERVICE in headers_of(text)


def test_a_line_without_a_name_belongs_to_the_one_before() -> None:
    found = headers_of("X-Service-Signature: t=1,v1=0123\n  456789abcdef\nA: b")
    assert found == [("x-service-signature", "t=1,v1=0123\n456789abcdef"), ("a", "b")]
    assert headers_of("v1,0123456789abcdef0123") == [("webhook-signature", "v1,0123456789abcdef0123")]
    assert headers_of("\n nothing of use \n{}") == []


def test_a_line_without_a_name_belongs_to_the_nearest_of_several() -> None:
    found = headers_of("A: b\nX-Service-Signature: t=1,\n  v1=0123")
    assert found == [("a", "b"), ("x-service-signature", "t=1,\nv1=0123")]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('"b"', "b"),
        ("'b',", "b"),
        ('""', ""),
        ('"', '"'),
        ('"b', '"b'),
        ('b"', 'b"'),
        ("\"b'", '"b'),
        ("b'", "b"),
        ("it's 'b'", "it's 'b'"),
        ("b, c,", "b, c,"),
        (" b \t", "b"),
    ],
)
def test_quotes_of_a_dump_are_taken_off_where_they_are_a_pair(written: str, value: str) -> None:
    assert headers_of(f"A: {written}") == [("a", value)]


def test_a_body_is_text_with_line_feeds_or_bytes_in_another_form() -> None:
    assert body_of("ü\r\n", TEXT) == "ü\n".encode()
    assert body_of("  1f 8b\n00 ", HEX) == b"\x1f\x8b\x00"
    assert body_of(f"{base64.b64encode(b'abc').decode()}\n", BASE64) == b"abc"
    for text, form in (("zz", HEX), ("a", HEX), ("a", BASE64), ("ü", BASE64), ("YW!Jj", BASE64)):
        with pytest.raises(ValueError):
            body_of(text, form)
