"""Pictures as files, good and hostile."""

import random
import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw


def drawn(mode: str = "RGB", size: tuple[int, int] = (320, 80), colour: Any = None) -> Image.Image:
    """One with a bar at its left, so that one sees how it is turned."""
    ink = {"RGB": (31, 74, 120), "RGBA": (31, 74, 120, 255), "CMYK": (190, 100, 0, 60), "L": 60}[mode]
    paper = {"RGB": (255, 255, 255), "RGBA": (0, 0, 0, 0), "CMYK": (0, 0, 0, 0), "L": 255}[mode]
    image = Image.new(mode, size, colour or paper)
    if colour is None:
        ImageDraw.Draw(image).rectangle((0, 0, size[0] // 4, size[1]), fill=ink)
    return image


def file_of(image: Image.Image, format: str = "PNG", **more: Any) -> bytes:
    written = BytesIO()
    image.save(written, format, **more)
    return written.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """Some hundred bytes that say to be as large."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(50_000))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        png_chunk(kind, data) for kind, data in ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    )


def webp_bomb(side: int = 16_383) -> bytes:
    whole = bytearray(file_of(drawn("RGBA"), "WEBP", lossless=True))
    at = whole.find(b"VP8L") + 9
    whole[at : at + 4] = struct.pack("<I", (side - 1) | (side - 1) << 14)
    return bytes(whole)


def scans_repeated(times: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again."""
    whole = file_of(drawn(), "JPEG", progressive=True)
    last = whole.rfind(b"\xff\xda")
    return whole[:last] + whole[last:-2] * times + b"\xff\xd9"


def noisy(size: tuple[int, int]) -> Image.Image:
    """Of which no file is small."""
    return Image.frombytes("RGB", size, random.Random(1).randbytes(3 * size[0] * size[1]))
