"""How hotels and streets are called in a country: a family of languages each, and brands that are at home everywhere."""

from dataclasses import dataclass
from itertools import product

from apps.hotels.suppliers.cities import City
from apps.suppliers.simulation import draw, shuffled


@dataclass(frozen=True, slots=True)
class Family:
    """`forms` take a word; `streets` take a house number."""

    countries: str
    forms: tuple[str, ...]
    words: tuple[str, ...]
    streets: tuple[str, ...]


FAMILIES = (
    Family(
        "PT BR AO MZ CV ST GW",
        ("Hotel {}", "Pousada {}", "Solar {}", "Casa {}"),
        ("da Ribeira", "do Miradouro", "das Flores", "do Carmo", "da Alameda", "dos Navegantes", "da Graça"),
        (
            "Rua Augusta {}",
            "Rua das Flores {}",
            "Avenida da Liberdade {}",
            "Largo do Carmo {}",
            "Rua Direita {}",
        ),
    ),
    Family(
        "ES MX AR CL CO PE UY PY BO EC VE CR PA GT HN NI SV DO CU PR GQ",
        ("Hotel {}", "Hostal {}", "Palacio {}", "Posada {}"),
        (
            "del Mirador",
            "de la Alameda",
            "San Telmo",
            "Los Arcos",
            "de la Plaza",
            "Santa Clara",
            "del Puerto",
        ),
        ("Calle Mayor {}", "Calle San Juan {}", "Avenida de la Constitución {}", "Paseo del Prado {}"),
    ),
    Family(
        "FR BE LU MC SN CI MA TN DZ CM GA HT RE MQ GP NC PF MG",
        ("Hôtel {}", "Résidence {}", "Auberge {}", "Maison {}"),
        (
            "du Marché",
            "de l'Opéra",
            "des Arts",
            "du Vieux Port",
            "Saint-Michel",
            "de la Gare",
            "des Tilleuls",
        ),
        ("{} rue de la République", "{} avenue Victor-Hugo", "{} rue Saint-Jacques", "{} place du Marché"),
    ),
    Family(
        "IT SM VA",
        ("Hotel {}", "Albergo {}", "Locanda {}", "Palazzo {}"),
        ("del Teatro", "dei Mercanti", "della Torre", "San Marco", "delle Rose", "al Ponte", "Santa Croce"),
        ("Via Garibaldi {}", "Via Roma {}", "Corso Vittorio Emanuele {}", "Piazza del Duomo {}"),
    ),
    Family(
        "DE AT CH LI",
        ("Hotel {}", "Gasthof {}", "Hotel Garni {}", "Stadthotel {}"),
        ("am Markt", "zur Linde", "Goldener Hirsch", "am Schlosspark", "Drei Könige", "Alte Post", "am Ufer"),
        ("Hauptstraße {}", "Bahnhofstraße {}", "Lindenallee {}", "Marktplatz {}"),
    ),
    Family(
        "NL SE NO DK FI IS EE LV LT PL CZ SK HU SI HR",
        ("Hotel {}", "Grand Hotel {}", "Parkhotel {}", "Villa {}"),
        ("Amber", "Norden", "Viktoria", "Tivoli", "Polonia", "Astoria", "Kronan"),
        ("Kungsgatan {}", "Dlouhá {}", "Nowy Świat {}", "Havnegade {}", "Keizersgracht {}"),
    ),
    Family(
        "AE SA QA KW BH OM JO LB EG IQ",
        ("{} Palace Hotel", "{} Suites", "{} Plaza Hotel", "{} Gardens"),
        ("Al Waha", "Al Noor", "Marjan", "Al Qasr", "Lulu", "Al Bustan", "Safa"),
        ("{} Corniche Road", "{} King Faisal Street", "{} Al Maktoum Road", "{} Airport Road"),
    ),
    Family(
        "JP KR CN TW HK MO SG TH VN MY ID PH KH",
        ("{} Hotel", "{} Inn", "Grand {}", "{} Garden Hotel"),
        ("Sakura", "Lotus", "Jade", "Pagoda", "Bamboo", "Orchid", "Moonlight"),
        ("{} Central Road", "{} Garden Street", "{} Riverside Road", "{} Temple Street"),
    ),
)
ENGLISH = Family(
    "",
    ("The {}", "The {} Hotel", "{} House", "{} Lodge"),
    ("Crown", "Harbour", "Kingsway", "Old Mill", "Royal Oak", "Observatory", "Regent"),
    ("{} High Street", "{} Station Road", "{} Market Street", "{} Queen Street", "{} Park Avenue"),
)
BRANDS = ("Northgate {}", "Meridian Court {}", "Stay & Co {}", "Hotel Central {}", "The Compass {}")
BRAND_EVERY = 4


def family_of(country: str) -> Family:
    return next((family for family in FAMILIES if country in family.countries.split()), ENGLISH)


def hotel_name(city: City, position: int) -> str:
    """The name of the city's hotel at `position`: no two of a city share one. Every fourth is a brand's."""
    if position % BRAND_EVERY == BRAND_EVERY - 1:
        return shuffled(BRANDS, "brands", city.id)[position // BRAND_EVERY].format(city.name)
    family = family_of(city.country)
    pairs = shuffled(list(product(family.forms, family.words)), "names", city.id)
    form, word = pairs[position]
    return form.format(word)


def street(city: City, position: int) -> str:
    family = family_of(city.country)
    form = family.streets[draw(0, len(family.streets) - 1, "street", city.id, position)]
    return form.format(draw(1, 148, "number", city.id, position))
