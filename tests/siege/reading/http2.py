"""Just enough of HTTP/2 (RFC 9113) to send one POST over clear text with prior knowledge, and to read its answer's body."""

import socket
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name: str, value: str) -> bytes:
    """A header field without indexing (RFC 7541 §6.2.2), its strings as they are."""
    return b"\x00" + text(name) + text(value)


def text(value: str) -> bytes:
    """At most 16,509 bytes: the length in 7 bits, or in those and two bytes more."""
    raw = value.encode()
    if len(raw) < 127:
        return bytes([len(raw)]) + raw
    rest = len(raw) - 127
    return bytes([127, 0x80 | rest & 0x7F, rest >> 7]) + raw


def post(
    port: int, path: str, key: str, body: bytes, *, with_length: bool, pieces: int = 1, seconds: float = 30.0
) -> bytes | None:
    """The body of the answer; None where HTTP/2, or this request, was refused on its own level."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": f"127.0.0.1:{port}",
        "authorization": f"Bearer {key}",
        "idempotency-key": f"http2-{time.monotonic_ns()}",
        "content-type": "application/json",
        **({"content-length": str(len(body))} if with_length else {}),
    }
    block = b"".join(literal(name, value) for name, value in fields.items())
    size = -(-len(body) // pieces)
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        try:
            connection.sendall(PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_HEADERS, 1, block))
            for number, part in enumerate(parts, 1):
                time.sleep(0.05)
                connection.sendall(frame(DATA, END_STREAM if number == len(parts) else 0, 1, part))
            return answer(connection)
        except (ConnectionError, TimeoutError):
            return None


def answer(connection: socket.socket) -> bytes | None:
    data = b""
    while True:
        header = exactly(connection, 9)
        if header is None or header[:4] == b"HTTP":
            return None  # what speaks HTTP/1.1 alone says so, or hangs up
        payload = exactly(connection, int.from_bytes(header[:3]))
        kind, flags, stream = header[3], header[4], int.from_bytes(header[5:])
        if payload is None or kind in {GOAWAY, RST_STREAM}:
            return None
        if kind == SETTINGS and not flags & ACK:
            connection.sendall(frame(SETTINGS, ACK, 0))
        if kind == DATA and stream == 1:
            data += payload
        if kind in {DATA, HEADERS} and stream == 1 and flags & END_STREAM:
            return data


def exactly(connection: socket.socket, count: int) -> bytes | None:
    data = b""
    while len(data) < count:
        got = connection.recv(count - len(data))
        if not got:
            return None
        data += got
    return data
