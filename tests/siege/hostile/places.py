"""The addresses of all pages, found where Django finds them."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def addresses() -> list[str]:
    """As the URL map spells them, those of /v1 and those made of regular expressions left out."""
    found = set(_below(get_resolver().url_patterns, "/"))
    return sorted(one for one in found if not one.startswith("/v1/") and not set("^(") & set(one))


def _below(patterns: list[URLPattern | URLResolver], above: str) -> Iterator[str]:
    for pattern in patterns:
        address = above + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _below(pattern.url_patterns, address)
        else:
            yield address
