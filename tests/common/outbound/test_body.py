"""Bodies: whole, unpacked, and never larger than allowed."""

import gzip

import pytest

from apps.common.outbound.answer import Answer, BadAnswer, read_body


def body(raw: bytes, max_bytes: int = 1000, **headers: str) -> bytes:
    lines = [f"{name.replace('_', '-')}: {value}\r\n".encode() for name, value in headers.items()]
    wire = iter([b"HTTP/1.1 200 OK\r\n" + b"".join(lines) + b"\r\n" + raw])
    return read_body(Answer(lambda: next(wire, b"")), max_bytes=max_bytes)


def test_a_body_is_read_whole() -> None:
    assert body(b"ok", Content_Length="2") == b"ok"
    assert body(b"ok") == b"ok"
    assert body(b"", Content_Length="0") == b""


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", " GZIP "])
def test_gzip_is_unpacked(encoding: str) -> None:
    assert body(gzip.compress(b"ok"), Content_Encoding=encoding) == b"ok"


def test_an_empty_body_is_empty_however_it_is_called() -> None:
    assert body(b"", Content_Encoding="gzip", Content_Length="0") == b""


@pytest.mark.parametrize(
    ("raw", "headers"),
    [
        (b"ok", {"Content_Length": "3"}),
        (gzip.compress(b"ok")[:-1], {"Content_Encoding": "gzip"}),
        (b"ok", {"Content_Encoding": "gzip"}),
        (b"ok", {"Content_Encoding": "br"}),
        (b"x" * 1001, {}),
        (gzip.compress(b"x" * 1001), {"Content_Encoding": "gzip"}),
    ],
    ids=["cut short", "gzip cut short", "no gzip", "another packing", "too large", "too large unpacked"],
)
def test_what_is_no_whole_body_is_refused(raw: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(BadAnswer):
        body(raw, **headers)
