"""Where the simulated supplier sells: every country of ISO 3166, the regions it bundles them into, and their networks."""

from functools import cache

import pycountry

from apps.esim.regions import REGIONS
from apps.suppliers.simulation import draw, shuffled

# A regional plan covers these countries: a seller's choice, as in any operator's price list, not geography.
MEMBERS = {
    "africa": "BW CD CI CM DZ EG ET GA GH KE LR MA MG ML MU MW MZ NE NG RE RW SC SD SN TD TN TZ UG ZA ZM",
    "asia": "BD BN CN HK ID IN JP KH KR LA LK MO MY NP PH PK SG TH TW VN",
    "caribbean": "AG AI AW BB BM BQ CW DM DO GD GP HT JM KN KY LC MF MQ MS TC TT VC VG",
    "europe": """
        AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT
        NL NO PL PT RO RS SE SI SK SM TR UA VA
    """,
    "latin-america": "AR BO BR BZ CL CO CR EC GF GT GY HN MX NI PA PE PY SV UY",
    "middle-east": "AE BH IL IQ JO KW LB OM PS QA SA TR YE",
    "north-america": "CA MX PR US",
    "oceania": "AU CK FJ GU NC NU NZ PF PG SB TO VU WS",
}
NETWORK_NAMES = ("{} Telecom", "{} Mobile", "Telecel {}", "{} Wireless", "Nova {}", "{} Cellular", "Movi {}")


@cache
def countries() -> dict[str, str]:
    """The everyday name of every country, by its ISO 3166-1 alpha-2 code (Kosovo: `XK`), in the order of codes."""
    found = {"XK": "Kosovo"} | {
        country.alpha_2: _in_reading_order(getattr(country, "common_name", country.name))
        for country in pycountry.countries
    }
    return dict(sorted(found.items()))


def _in_reading_order(name: str) -> str:
    """`Virgin Islands, British` is filed so; it is called British Virgin Islands. What stands in brackets is left out."""
    head, _, tail = name.partition(" (")[0].partition(", ")
    return f"{tail} {head}" if tail else head


@cache
def members(region: str) -> tuple[str, ...]:
    """The countries of a region; "global" is all of the others'."""
    if region == "global":
        return tuple(sorted({code for named in MEMBERS for code in members(named)}))
    return tuple(MEMBERS[region].split())


@cache
def networks(country: str) -> tuple[str, ...]:
    """One to three made-up networks of a country, always the same ones."""
    names = shuffled(NETWORK_NAMES, "networks", country)
    return tuple(name.format(countries()[country]) for name in names[: draw(1, 3, "networks", country)])


def title(place: str) -> str:
    """The name of a country or a region."""
    return REGIONS[place] if place in REGIONS else countries()[place]
