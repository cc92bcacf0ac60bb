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
ORIENTATION = 0x0112


def redrawn(content: bytes, format: str, *, widest: int, highest: int, most_pixels: int) -> bytes:
    """The first frame, upright, without anything but its pixels. Raises an exception of any kind where it cannot be decoded."""
    with Image.open(BytesIO(content), formats=[format]) as opened:
        if opened.width * opened.height > most_pixels:
            raise ValueError("The decoder reads another size than the header that was checked.")
        opened.load()
        found = upright(as_colours(opened), orientation_of(opened))
    found.thumbnail((widest, highest), Image.Resampling.LANCZOS)
    pixels = Image.frombytes(found.mode, found.size, found.tobytes())
    written = BytesIO()
    pixels.save(written, "PNG", optimize=True)
    return written.getvalue()


def as_colours(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):  # 16 bits of grey, which Pillow would cut off instead of scaling
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def orientation_of(image: Image.Image) -> int:
    with suppress(Exception):  # an Exif block that cannot be read turns nothing
        return int(image.getexif().get(ORIENTATION, 1))
    return 1


def upright(image: Image.Image, orientation: int) -> Image.Image:
    turn = ORIENTATIONS.get(orientation)
    return image if turn is None else image.transpose(turn)
