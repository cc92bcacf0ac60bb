"""The base views of pages about an object: what a page must say of itself."""

import inspect
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def patterns_of(resolver: URLResolver) -> Iterator[URLPattern]:
    for found in resolver.url_patterns:
        if isinstance(found, URLResolver):
            yield from patterns_of(found)
        else:
            yield found


def test_every_routed_view_says_what_its_base_asks_for():
    routed = [getattr(pattern.callback, "view_class", None) for pattern in patterns_of(get_resolver())]
    views = [view for view in routed if view is not None]
    assert len(views) > 50
    assert [view for view in views if inspect.isabstract(view)] == []
