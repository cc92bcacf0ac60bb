"""The regions that plans are sold for, as the wire names them. An adapter translates its supplier's own names into these."""

REGIONS = {
    "africa": "Africa",
    "asia": "Asia",
    "caribbean": "Caribbean",
    "europe": "Europe",
    "global": "Global",
    "latin-america": "Latin America",
    "middle-east": "Middle East",
    "north-america": "North America",
    "oceania": "Oceania",
}
