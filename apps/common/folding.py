"""Names as people type them: without case, accents and punctuation."""

import unicodedata
from functools import lru_cache

# Letters that Unicode does not take apart.
PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ə": "e"}
)


def fold(name: str) -> str:
    """`name` without case, accents and apostrophes; other punctuation becomes a space. Vowel signs of Indian and Thai script are
    letters, and stay.
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(PLAIN)
    return "".join([_folded(letter) for letter in plain])


@lru_cache(maxsize=8192)
def _folded(letter: str) -> str:
    if letter.isalnum():
        return letter
    if unicodedata.combining(letter) or letter in "'’ʻʼ‘`´":
        return ""
    return letter if unicodedata.category(letter)[0] == "M" else " "
