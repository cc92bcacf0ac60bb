"""Addresses of the portal's pages, remembered: resolving one takes longer than writing the row that it stands in."""

from functools import cache, lru_cache
from urllib.parse import quote

from django.urls import reverse

MARK = "0"
SAFE = "/~:@!$&'()*+,;="
"""What Django's own addresses leave as it is (RFC 3986, pchar)."""


@lru_cache(maxsize=1_000)
def address_of(name: str, *args: str) -> str:
    """As Django's `reverse`, for names and arguments of which there are few."""
    return reverse(name, args=args)


@cache
def address_of_page(name: str, environment: str = "") -> str:
    """Of a page of that environment; of the whole account without one. There are as many as pages."""
    return reverse(f"portal:{name}", kwargs={"environment": environment} if environment else {})


def address_of_object(name: str, environment: str, pk: object) -> str:
    """Of the page of one object, whose id is the last thing that its address names."""
    before, after = _around(name, environment)
    return f"{before}{quote(str(pk), safe=SAFE)}{after}"


@cache
def _around(name: str, environment: str) -> tuple[str, str]:
    before, _, after = reverse(f"portal:{name}", args=[environment, MARK]).rpartition(MARK)
    return before, after
