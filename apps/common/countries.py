"""The countries that every product knows, by their codes."""

import pycountry

COUNTRIES = frozenset(country.alpha_2 for country in pycountry.countries) | {"XK"}
"""ISO 3166-1 alpha-2; and Kosovo, which has no code there and which the travel trade writes `XK`."""
