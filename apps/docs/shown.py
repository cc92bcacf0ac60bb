"""How each page of the documentation is shown: within its navigation."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from apps.docs.guides import guides
from apps.docs.own_key import OwnKey
from apps.gateway.openapi.offered import told_without
from apps.keys.offered import products_not_sold

PRODUCTS = "Hotels, flights, transfers and eSIM data plans"
"""As every text lists them."""


def show(
    request: HttpRequest, template: str, here: str, own_key: OwnKey | None = None, **context: Any
) -> HttpResponse:
    """A page within the documentation's own navigation; `here` is its entry. With a key in it the page is the reader's alone."""
    common = {
        "guides": guides(),
        "sold": told_without(PRODUCTS, products_not_sold()),
        "here": here,
        "base_url": settings.PUBLIC_BASE_URL,
        "own_key": own_key,
    }
    response = render(request, template, {**common, **context})
    if own_key is not None:
        patch_cache_control(response, private=True, no_store=True)
    return response
