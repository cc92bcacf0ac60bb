"""A logo out of an uploaded file: checked before it is decoded, then written again as a small PNG.

A file may be hostile. Its format is told by its first bytes, never by its name; its size in pixels is read from its header; and
what a decoder raises, whatever it is, is a refusal. Only pixels are kept: colour profiles, positions and comments are not.
"""

import struct
import threading
from collections.abc import Callable, Iterator

MOST_BYTES = 2 * 1024 * 1024
"""Of an uploaded file."""
MOST_PIXELS = 8_000_000
"""32 MB once decoded, at most one at a time in each process."""
LEAST_SIDE = 16
WIDEST, HIGHEST = 600, 240
"""A logo is made smaller to fit, never larger."""
MOST_SCANS = 30
"""Of a progressive JPEG, whose every scan takes the time of a whole image (usual ones have about ten)."""
LONGEST_WAIT = 5.0

OTHER = "This is not a PNG, JPEG or WebP image."
BROKEN = "The image is damaged or incomplete. Export it again as PNG."
MORE = "The file has other data after the image. Export it again as PNG."
BUSY = "Another logo is being read. Try again in a moment."

_decoding = threading.Lock()


class NoLogo(ValueError):
    """The file is refused. Its text says why, to the person who chose it."""


def as_logo(content: bytes) -> bytes:
    """A PNG of at most WIDEST × HIGHEST pixels. Raises NoLogo."""
    if len(content) > MOST_BYTES:
        raise too_large()
    format, measure = kind_of(content)
    try:
        width, height, end = measure(content)
    except (IndexError, struct.error):
        raise NoLogo(BROKEN) from None
    refuse_size(width, height)
    if content[end:].strip(b"\0"):
        raise NoLogo(MORE)
    from apps.accounts.logo_pixels import redrawn  # Pillow takes 12 MB, which most processes never need

    if not _decoding.acquire(timeout=LONGEST_WAIT):
        raise NoLogo(BUSY)
    try:
        return redrawn(content, format, widest=WIDEST, highest=HIGHEST, most_pixels=MOST_PIXELS)
    except NoLogo:
        raise
    except Exception:  # of many kinds: decoders meet bytes that somebody may have made up
        raise NoLogo(BROKEN) from None
    finally:
        _decoding.release()


def too_large() -> NoLogo:
    return NoLogo(f"The file is larger than {MOST_BYTES // 1024**2} MiB.")


def refuse_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise NoLogo(
            f"The image has {width} × {height} pixels. A logo has at most {MOST_PIXELS:,}: {WIDEST} × {HIGHEST} are enough."
        )
    if min(width, height) < LEAST_SIDE:
        raise NoLogo(
            f"The image has {width} × {height} pixels. A logo has at least {LEAST_SIDE} on each side."
        )


# --- Before anything is decoded -------------------------------------------------------------------------------------------
Measure = Callable[[bytes], tuple[int, int, int]]
"""Width, height, and where the image ends in the file."""


def kind_of(content: bytes) -> tuple[str, Measure]:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG", png_size
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG", jpeg_size
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP", webp_size
    if not content:
        raise NoLogo("The file is empty.")
    if content.startswith((b"GIF87a", b"GIF89a")):
        raise NoLogo("GIF is not accepted. Export the logo as PNG.")
    if b"<svg" in content[:4096].lower():
        raise NoLogo("SVG is not accepted, because it may contain scripts. Export the logo as PNG.")
    raise NoLogo(OTHER)


def png_size(content: bytes) -> tuple[int, int, int]:
    """PNG, third edition, sections 5.3 and 11.2.1."""
    if content[12:16] != b"IHDR":
        raise NoLogo(BROKEN)
    width, height = struct.unpack_from(">II", content, 16)
    at = 8
    while True:
        (length,) = struct.unpack_from(">I", content, at)
        kind, at = content[at + 4 : at + 8], at + 12 + length
        if kind == b"IEND":
            return width, height, at


def jpeg_size(content: bytes) -> tuple[int, int, int]:
    """ITU-T T.81, annex B: the frame header has the size, EOI is the end."""
    width = height = scans = 0
    for marker, at in jpeg_markers(content):
        if marker == 0xD9:
            if not width:
                raise NoLogo(BROKEN)
            return width, height, at
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", content, at + 3)
        scans += marker == 0xDA
        if scans > MOST_SCANS:
            raise NoLogo(BROKEN)
    raise NoLogo(BROKEN)


def jpeg_markers(content: bytes) -> Iterator[tuple[int, int]]:
    """Each marker, and where its segment begins; past those between the entropy-coded parts."""
    at = 2
    while True:
        at = content.find(b"\xff", at)
        if at < 0:
            return
        marker, at = content[at + 1], at + 1
        if marker == 0xFF:  # a fill byte
            continue
        at += 1
        if marker == 0 or 0xD0 <= marker <= 0xD7:
            continue
        yield marker, at
        at += struct.unpack_from(">H", content, at)[0]


def webp_size(content: bytes) -> tuple[int, int, int]:
    """RFC 9649, sections 2.3 to 2.7. Pillow's decoder takes memory for the size before it says it."""
    end = 8 + struct.unpack_from("<I", content, 4)[0]
    kind = content[12:16]
    if kind == b"VP8X":
        width, height = (1 + int.from_bytes(content[at : at + 3], "little") for at in (24, 27))
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif kind == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", content, 26))
    else:
        raise NoLogo(BROKEN)
    if end > len(content):
        raise NoLogo(BROKEN)
    return width, height, end
