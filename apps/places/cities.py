"""The data of cities (`data/`, from GeoNames by `extract_cities`), for hotels and places alike."""

import gzip
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("data") / "cities.tsv"
NAMES = FILE.with_name("city_names.tsv.gz")
WELL_KNOWN = (
    100_000  # inhabitants; from here on hotels are searched for by a city's names in other languages, too
)


@lru_cache(maxsize=256)
def fold(name: str) -> str:
    """`name` without case, accents and punctuation: São Paulo and SAO PAULO are one.

    Remembered, because a search compares the name it was sent with the city of each of its hotels.
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(
        letter if letter.isalnum() else " " for letter in plain if not unicodedata.combining(letter)
    )
    return " ".join(kept.split())


def lines() -> Iterator[list[str]]:
    """The fields of each city, the largest first."""
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        yield line.split("\t")


def further_names() -> dict[str, list[str]]:
    """By the city's id: names in other alphabets, and those in other languages of cities that are not well known."""
    text = gzip.decompress(NAMES.read_bytes()).decode()
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {number: names.split(";") for number, names in rows}
