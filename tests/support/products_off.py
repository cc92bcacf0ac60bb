"""A deployment that sells some of the four products."""

from typing import Any

PRODUCTS = ("hotels", "flights", "transfers", "esim")
DEPLOYMENTS = {
    **{f"without {product}": (product,) for product in PRODUCTS},
    **{f"{product} alone": tuple(other for other in PRODUCTS if other != product) for product in PRODUCTS},
}
"""Each product off, and all but one: name → what is off."""


def all_but(*absent: str) -> dict[str, dict[str, str]]:
    """SUPPLIERS of such a deployment."""
    return {product: {"live": "off" if product in absent else "simulator"} for product in PRODUCTS}


def sell_all_but(settings: Any, *absent: str) -> None:
    settings.SUPPLIERS = all_but(*absent)
