"""The pixels of a logo, decoded by Pillow and written again. Only `logos.as_logo` comes here, with what it has checked."""

from contextlib import suppress
from io import BytesIO

from PIL import Image

ORIENTATIONS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What turns an image upright, by its Orientation (Exif 2.32, tag 0x0112)."""
SIDEWAYS = frozenset({5, 6, 7, 8})
ORIENTATION = 0x0112


def redrawn(content: bytes, format: str, *, widest: int, highest: int, most_pixels: int) -> bytes:
    """The first frame, upright, without anything but its pixels. Raises an exception of any kind where it cannot be decoded."""
    with Image.open(BytesIO(content), formats=[format]) as opened:
        if opened.width * opened.height > most_pixels:
            raise ValueError("The decoder reads another size than the header that was checked.")
        opened.load()
        orientation = orientation_of(opened)
        bounds = (highest, widest) if orientation in SIDEWAYS else (widest, highest)
        found = upright(fitted(as_colours(opened), *bounds), orientation)
    pixels = Image.frombytes(found.mode, found.size, found.tobytes())
    written = BytesIO()
    pixels.save(written, "PNG", optimize=True)
    return written.getvalue()


def as_colours(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):  # 16 bits of grey, which Pillow would cut off instead of scaling
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    mode = "RGBA" if image.has_transparency_data else "RGB"
    return image if image.mode == mode else image.convert(mode)


def fitted(image: Image.Image, widest: int, highest: int) -> Image.Image:
    scale = min(widest / image.width, highest / image.height)
    if scale >= 1:
        return image
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def orientation_of(image: Image.Image) -> int:
    with suppress(Exception):  # an Exif block that cannot be read turns nothing
        return int(image.getexif().get(ORIENTATION, 1))
    return 1


def upright(image: Image.Image, orientation: int) -> Image.Image:
    turn = ORIENTATIONS.get(orientation)
    return image if turn is None else image.transpose(turn)
