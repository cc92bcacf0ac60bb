"""A logo out of an uploaded file: its pixels, written again as a small PNG. Profiles, positions, comments and what stands behind
the image are not kept.

A file may be hostile. Its format is known by its first bytes, never by its name; its size in pixels is looked at before it is
decoded; and what a decoder raises, whatever it is, is a refusal.
"""

import struct
import threading
from contextlib import suppress
from io import BytesIO

MOST_BYTES = 2 * 1024 * 1024
"""Of an uploaded file."""
MOST_PIXELS = 8_000_000
"""32 MB once decoded, at most one at a time in each process."""
LEAST_SIDE = 16
WIDEST, HIGHEST = 600, 240
"""A logo is made smaller to fit, never larger."""
MOST_SCANS = 30
"""Of a progressive JPEG, whose every scan takes the time of a whole image (usual ones have about ten)."""
START_OF_SCAN = b"\xff\xda"
LONGEST_WAIT = 5.0

OTHER = "This is not a PNG, JPEG or WebP image."
BROKEN = "The image is damaged or incomplete. Export it again as PNG."
BUSY = "Another logo is being read. Try again in a moment."
TOO_MANY_PIXELS = f"The image has more than {MOST_PIXELS:,} pixels: {WIDEST} × {HIGHEST} are enough."
TOO_SMALL = f"The image is too small: a logo has at least {LEAST_SIDE} pixels on each side."

_decoding = threading.Lock()


class NoLogo(ValueError):
    """The file is refused. Its text says why, to the person who chose it."""


def as_logo(content: bytes) -> bytes:
    """A PNG of at most WIDEST × HIGHEST pixels. Raises NoLogo."""
    if len(content) > MOST_BYTES:
        raise too_large()
    format = format_of(content)
    if not _decoding.acquire(timeout=LONGEST_WAIT):
        raise NoLogo(BUSY)
    try:
        return redrawn(content, format)
    except NoLogo:
        raise
    except Exception:  # of many kinds: decoders may get forged bytes
        raise NoLogo(BROKEN) from None
    finally:
        _decoding.release()


def too_large() -> NoLogo:
    return NoLogo(f"The file is larger than {MOST_BYTES // 1024**2} MiB.")


def format_of(content: bytes) -> str:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "WEBP"
    if not content:
        raise NoLogo("The file is empty.")
    if content.startswith((b"GIF87a", b"GIF89a")):
        raise NoLogo("GIF is not accepted. Export the logo as PNG.")
    if b"<svg" in content[:4096].lower():
        raise NoLogo("SVG is not accepted, because it may contain scripts. Export the logo as PNG.")
    raise NoLogo(OTHER)


def redrawn(content: bytes, format: str) -> bytes:
    """The first frame, upright. Raises NoLogo, and an exception of any kind where it cannot be decoded."""
    from PIL import Image, ImageOps  # 12 MB, which most processes never need

    if format == "WEBP":
        refuse_size(*webp_size(content))
    if format == "JPEG" and content.count(START_OF_SCAN) > MOST_SCANS:
        raise NoLogo(BROKEN)
    try:
        opened = Image.open(
            BytesIO(content), formats=[format]
        )  # reads the header of a PNG and of a JPEG alone
    except Image.DecompressionBombError:
        raise NoLogo(TOO_MANY_PIXELS) from None
    with opened:
        refuse_size(*opened.size)
        opened.load()
        image: Image.Image = opened
        if image.mode.startswith("I"):  # 16 bits of grey, which Pillow would cut off instead of scaling
            image = image.convert("I").point(lambda value: value / 256).convert("L")
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
        with suppress(Exception):  # an Exif block that cannot be read turns nothing
            image = ImageOps.exif_transpose(image)
    image.thumbnail((WIDEST, HIGHEST), Image.Resampling.LANCZOS)
    written = BytesIO()
    Image.frombytes(image.mode, image.size, image.tobytes()).save(written, "PNG", optimize=True)
    return written.getvalue()


def refuse_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise NoLogo(TOO_MANY_PIXELS)
    if min(width, height) < LEAST_SIDE:
        raise NoLogo(TOO_SMALL)


def webp_size(content: bytes) -> tuple[int, int]:
    """RFC 9649, sections 2.5 to 2.7. Pillow's decoder takes memory for the size before it says it."""
    kind = content[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", content, 26)
    return width & 0x3FFF, height & 0x3FFF
