"""A logo out of any file: what is accepted comes out small and clean, and everything else is refused in words."""

import random
import struct
import zipfile
import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageFile, PngImagePlugin

from apps.accounts import logos
from apps.accounts.logos import (
    BROKEN,
    BUSY,
    HIGHEST,
    MOST_BYTES,
    OTHER,
    TOO_MANY_PIXELS,
    TOO_SMALL,
    WIDEST,
    NoLogo,
    as_logo,
)
from tests.support.pictures import (
    drawn,
    file_of,
    noisy,
    opened,
    png_bomb,
    png_chunk,
    scans_repeated,
    webp_bomb,
)

SECRET = b"48.137N 11.575E"
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def exif(orientation: int) -> Image.Exif:
    found = Image.Exif()
    found[0x0112] = orientation
    found[0x010E] = SECRET.decode()
    return found


def text_in_png() -> bytes:
    words = PngImagePlugin.PngInfo()
    words.add_text("Comment", SECRET.decode())
    return file_of(drawn(), pnginfo=words, exif=exif(1), icc_profile=SECRET * 9, dpi=(72, 72))


def paletted() -> Image.Image:
    image = drawn().quantize(8)
    image.info["transparency"] = image.getpixel((319, 0))
    return image


GOOD = {
    "png": file_of(drawn()),
    "transparent png": file_of(drawn("RGBA")),
    "palette with transparency": file_of(paletted()),
    "grey": file_of(drawn("L")),
    "sixteen bits of grey": file_of(Image.new("I;16", (64, 32), 32_768)),
    "black and white": file_of(drawn("L").convert("1")),
    "jpeg": file_of(drawn(), "JPEG"),
    "progressive jpeg": file_of(drawn(), "JPEG", progressive=True),
    "cmyk jpeg": file_of(drawn("CMYK"), "JPEG"),
    "webp": file_of(drawn(), "WEBP"),
    "webp without loss": file_of(drawn("RGBA"), "WEBP", lossless=True),
    "webp with exif": file_of(drawn(), "WEBP", exif=exif(1)),
    "jpeg that ends in zeros": file_of(drawn(), "JPEG") + bytes(512),
    "png with text": text_in_png(),
    "as small as may be": file_of(drawn(size=(16, 16))),
    "wide": file_of(drawn(size=(4_000, 400))),
    "tall": file_of(drawn(size=(100, 1_000))),
    "of seven megapixels": file_of(drawn(size=(3_500, 2_000)), "JPEG"),
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_a_usual_image_becomes_a_small_png_of_its_pixels_alone(content: bytes) -> None:
    logo, before = opened(as_logo(content)), opened(content)
    assert (logo.format, logo.info) == ("PNG", {})
    assert logo.mode in {"RGB", "RGBA"}
    assert SECRET not in as_logo(content)
    scale = min(1, WIDEST / before.width, HIGHEST / before.height)
    assert abs(logo.width - before.width * scale) <= 1
    assert abs(logo.height - before.height * scale) <= 1
    assert as_logo(as_logo(content)) == as_logo(content)


def test_colours_and_transparency_stay() -> None:
    for name in ("transparent png", "palette with transparency", "webp without loss"):
        logo = opened(as_logo(GOOD[name]))
        assert (logo.getpixel((5, 5)), logo.getpixel((310, 70))[3]) == ((31, 74, 120, 255), 0), name
    assert opened(as_logo(GOOD["png"])).getpixel((5, 5)) == (31, 74, 120)
    assert opened(as_logo(GOOD["sixteen bits of grey"])).getpixel((5, 5)) == (128, 128, 128)
    red, _, blue = opened(as_logo(GOOD["cmyk jpeg"])).getpixel((5, 5))
    assert (red < 80, blue > 150) == (True, True)
    assert min(opened(as_logo(GOOD["cmyk jpeg"])).getpixel((310, 70))) > 240


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_it_stands_upright(format: str, orientation: int) -> None:
    stored = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (0, 1), 7: (1, 1), 8: (1, 0)}
    corner = stored[orientation]  # where the dark one of four corners lies in the file
    image = Image.new("L", (64, 64), 255)
    image.paste(0, tuple(32 * side + edge for edge in (0, 32) for side in corner))
    logo = opened(as_logo(file_of(image, format, exif=exif(orientation)))).convert("L")
    assert logo.getpixel((16, 16)) < 40
    assert min(logo.getpixel((48, 16)), logo.getpixel((16, 48)), logo.getpixel((48, 48))) > 215


def test_an_exif_block_that_cannot_be_read_turns_nothing() -> None:
    assert opened(as_logo(file_of(drawn(), "JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff"))).size == (320, 80)


@pytest.mark.parametrize("format", ["PNG", "WEBP"])
def test_of_a_moving_image_the_first_frame_stays(format: str) -> None:
    frames = [drawn(colour=(255, 0, 0)), drawn(colour=(0, 0, 255))]
    content = file_of(frames[0], format, save_all=True, append_images=frames[1:], lossless=True, duration=90)
    assert getattr(opened(content), "n_frames") == 2  # noqa: B009
    assert opened(as_logo(content)).convert("RGB").getpixel((5, 5)) == (255, 0, 0)


@pytest.mark.parametrize("name", ["png", "jpeg", "webp"])
def test_what_stands_behind_an_image_is_not_kept(name: str) -> None:
    assert as_logo(GOOD[name] + zipped()) == as_logo(GOOD[name])


# --- What is refused ------------------------------------------------------------------------------------------------------
def zipped() -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("run.sh", "rm -rf /")
    return written.getvalue()


BAD = {
    "nothing": (b"", "The file is empty."),
    "text": (b"Hello, I am logo.png", OTHER),
    "html": (b"<!doctype html><script>alert(1)</script>", OTHER),
    "svg": (SVG, "SVG is not accepted, because it may contain scripts. Export the logo as PNG."),
    "gif": (file_of(drawn(), "GIF"), "GIF is not accepted. Export the logo as PNG."),
    "bmp": (file_of(drawn(), "BMP"), OTHER),
    "tiff": (file_of(drawn(), "TIFF"), OTHER),
    "a pdf": (b"%PDF-1.7 ...", OTHER),
    "too large": (file_of(noisy((1_000, 900))), "The file is larger than 2 MiB."),
    "png bomb": (png_bomb(), TOO_MANY_PIXELS),
    "webp bomb": (webp_bomb(), TOO_MANY_PIXELS),
    "twenty megapixels": (file_of(drawn("L", (5_000, 4_000)), "JPEG"), TOO_MANY_PIXELS),
    "one pixel": (file_of(drawn(size=(1, 1))), TOO_SMALL),
    "no pixel": (png_bomb(0, 0), BROKEN),
    "png that ends early": (GOOD["png"][: len(GOOD["png"]) // 2], BROKEN),
    "png with half its rows": (png_bomb(2_000, 2_000), BROKEN),
    "jpeg that ends early": (GOOD["jpeg"][: len(GOOD["jpeg"]) // 2], BROKEN),
    "webp that ends early": (GOOD["webp"][:-9], BROKEN),
    "only a beginning": (b"\x89PNG\r\n\x1a\n", BROKEN),
    "only a marker": (b"\xff\xd8\xff", BROKEN),
    "jpeg without an image": (b"\xff\xd8\xff\xd9", BROKEN),
    "jpeg of a thousand scans": (scans_repeated(1_000), BROKEN),
    "png with a bomb of text": (
        GOOD["png"][:33]
        + png_chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(9_000_000)))
        + GOOD["png"][33:],
        BROKEN,
    ),
}


@pytest.mark.parametrize(("content", "why"), BAD.values(), ids=BAD)
def test_a_file_that_is_no_logo_is_refused_in_words(content: bytes, why: str) -> None:
    with pytest.raises(NoLogo) as refused:
        as_logo(content)
    assert str(refused.value) == why


def test_what_is_too_large_is_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[str] = []
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda image: decoded.append(image.format))
    assert len(png_bomb()) < 500
    for name in (
        "png bomb",
        "webp bomb",
        "twenty megapixels",
        "too large",
        "jpeg of a thousand scans",
        "svg",
    ):
        with pytest.raises(NoLogo):
            as_logo(BAD[name][0])
    assert decoded == []


def test_a_second_header_hides_no_bomb() -> None:
    first = struct.pack(">IIBBBBB", 100, 100, 8, 2, 0, 0, 0)
    content = png_bomb()[:8] + png_chunk(b"IHDR", first) + png_bomb()[8:]
    with pytest.raises(NoLogo):
        as_logo(content)


@pytest.mark.parametrize(
    "name", ["png", "jpeg", "progressive jpeg", "webp", "palette with transparency", "png with text"]
)
def test_no_damage_is_a_crash(name: str) -> None:
    chance, whole, refused = random.Random(name), GOOD[name], 0
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            logo = opened(
                as_logo(bytes(damaged[: chance.choice([len(damaged), chance.randrange(len(damaged))])]))
            )
        except NoLogo:
            refused += 1
        else:
            assert (logo.width <= WIDEST, logo.height <= HIGHEST) == (True, True)
    assert refused > 100


def test_one_is_decoded_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logos, "LONGEST_WAIT", 0.01)
    with logos._decoding, pytest.raises(NoLogo, match=BUSY):
        as_logo(GOOD["png"])
    assert as_logo(GOOD["png"])
    assert len(GOOD["of seven megapixels"]) < MOST_BYTES
