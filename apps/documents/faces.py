"""Which characters the faces of `fonts/` have: the others show as a box."""

import struct
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
"""Categories of characters that show nothing: controls, joiners, spaces."""
SELECTORS = range(0xFE00, 0xFE10)
"""They choose between forms of the character before them."""
CMAP_FORMATS = SEGMENTS, GROUPS = 4, 12


def without_face(text: str) -> list[str]:
    """The characters of `text` that no face has, each once, in their order."""
    if text.isascii():
        return []
    starts, ends = covered()
    return [one for one in sorted(set(text)) if not _has(ord(one), starts, ends) and _is_seen(one)]


def _has(code: int, starts: list[int], ends: list[int]) -> bool:
    place = bisect_right(starts, code) - 1
    return place >= 0 and code <= ends[place]


def _is_seen(one: str) -> bool:
    return unicodedata.category(one) not in UNSEEN and ord(one) not in SELECTORS


@cache
def covered() -> tuple[list[int], list[int]]:
    """The ranges of code points that any face has: their first and their last ones, ascending, none of them overlapping."""
    starts, ends = list[int](), list[int]()
    for first, last in sorted(each for path in FONTS.glob("*.ttf") for each in ranges_of(path.read_bytes())):
        if ends and first <= ends[-1] + 1:
            ends[-1] = max(ends[-1], last)
        else:
            starts.append(first)
            ends.append(last)
    return starts, ends


def ranges_of(font: bytes) -> Iterator[tuple[int, int]]:
    """What the `cmap` of a font maps (OpenType 1.9, formats 4 and 12, of which every face of ours has one)."""
    (tables,) = struct.unpack_from(">H", font, 4)
    places = {
        font[at : at + 4]: struct.unpack_from(">I", font, at + 8)[0] for at in range(12, 12 + 16 * tables, 16)
    }
    cmap = places[b"cmap"]
    (records,) = struct.unpack_from(">H", font, cmap + 2)
    for at in range(cmap + 4, cmap + 4 + 8 * records, 8):
        subtable = cmap + struct.unpack_from(">I", font, at + 4)[0]
        (form,) = struct.unpack_from(">H", font, subtable)
        if form == GROUPS:
            (groups,) = struct.unpack_from(">I", font, subtable + 12)
            for group in range(subtable + 16, subtable + 16 + 12 * groups, 12):
                yield struct.unpack_from(">II", font, group)
        elif form == SEGMENTS:
            (twice,) = struct.unpack_from(">H", font, subtable + 6)
            ends = struct.unpack_from(f">{twice // 2}H", font, subtable + 14)
            starts = struct.unpack_from(f">{twice // 2}H", font, subtable + 16 + twice)
            yield from ((first, last) for first, last in zip(starts, ends, strict=True) if first != 0xFFFF)
