"""Which of the languages that a supplier has is the one that was asked for."""

from collections.abc import Collection

ENGLISH = "en"
LONGEST = 35
"""Characters of a language tag that programs have to be able to hold (RFC 5646, 4.4.1)."""
BOKMAL = {"no": "nb", "nn": "nb"}
"""Norwegian under another code than suppliers have it by."""


def best_of(offered: Collection[str], wanted: str) -> str:
    """The offered tag that fits best: `pt-BR` itself, `de` for `de-AT`, English where nothing fits. In any case of letters."""
    by_name = {tag.lower(): tag for tag in offered}
    tag = wanted[:LONGEST].strip().replace("_", "-").lower()
    while tag:
        for name in (tag, BOKMAL.get(tag, "")):
            if name in by_name:
                return by_name[name]
        tag = tag.rpartition("-")[0]
    return ENGLISH
