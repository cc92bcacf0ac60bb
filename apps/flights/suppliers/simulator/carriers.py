"""Real airlines: where they are at home, through which airports they connect, how far they go."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Carrier:
    """`hubs`: where it connects, the greatest first. One that `roams` flies anywhere within its region."""

    code: str
    name: str
    country: str
    hubs: tuple[str, ...]
    long_haul: bool = True
    roams: bool = False


EUROPE = "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LT LU LV MT NL NO PL PT RO RS SE SI SK"
SOUTH_EAST_ASIA = "BN ID KH LA MM MY PH SG TH VN"
REGIONS = tuple(frozenset(countries.split()) for countries in (EUROPE, SOUTH_EAST_ASIA))


def region_of(country: str) -> frozenset[str]:
    """The countries between which a roaming carrier of `country` flies; at least its own."""
    return next((region for region in REGIONS if country in region), frozenset({country}))


def _network(code: str, name: str, country: str, hubs: str) -> Carrier:
    return Carrier(code, name, country, tuple(hubs.split()))


def _regional(code: str, name: str, country: str, hubs: str) -> Carrier:
    return Carrier(code, name, country, tuple(hubs.split()), long_haul=False)


def _low_cost(code: str, name: str, country: str, hubs: str) -> Carrier:
    return Carrier(code, name, country, tuple(hubs.split()), long_haul=False, roams=True)


CARRIERS = (
    # Europe
    _network("LH", "Lufthansa", "DE", "FRA MUC"),
    _network("DE", "Condor", "DE", "FRA"),
    _low_cost("EW", "Eurowings", "DE", "DUS CGN HAM"),
    _network("BA", "British Airways", "GB", "LHR LGW"),
    _network("VS", "Virgin Atlantic", "GB", "LHR MAN"),
    _low_cost("U2", "easyJet", "GB", "LGW LTN BRS"),
    _network("EI", "Aer Lingus", "IE", "DUB"),
    _low_cost("FR", "Ryanair", "IE", "DUB STN BGY"),
    _network("AF", "Air France", "FR", "CDG ORY"),
    _low_cost("TO", "Transavia France", "FR", "ORY NTE"),
    _network("KL", "KLM", "NL", "AMS"),
    _low_cost("HV", "Transavia", "NL", "AMS RTM"),
    _network("SN", "Brussels Airlines", "BE", "BRU"),
    _regional("LG", "Luxair", "LU", "LUX"),
    _network("LX", "SWISS", "CH", "ZRH GVA"),
    _network("OS", "Austrian Airlines", "AT", "VIE"),
    _network("IB", "Iberia", "ES", "MAD"),
    _low_cost("VY", "Vueling", "ES", "BCN AGP"),
    _network("UX", "Air Europa", "ES", "MAD"),
    _network("TP", "TAP Air Portugal", "PT", "LIS OPO"),
    _network("AZ", "ITA Airways", "IT", "FCO LIN"),
    _network("SK", "SAS", "DK", "CPH ARN OSL"),
    _low_cost("DY", "Norwegian", "NO", "OSL BGO CPH"),
    _network("AY", "Finnair", "FI", "HEL"),
    _network("FI", "Icelandair", "IS", "KEF"),
    _network("LO", "LOT Polish Airlines", "PL", "WAW"),
    _low_cost("W6", "Wizz Air", "HU", "BUD OTP WAW"),
    _regional("OK", "Czech Airlines", "CZ", "PRG"),
    _regional("BT", "airBaltic", "LV", "RIX TLL VNO"),
    _regional("RO", "TAROM", "RO", "OTP"),
    _regional("FB", "Bulgaria Air", "BG", "SOF"),
    _regional("OU", "Croatia Airlines", "HR", "ZAG SPU"),
    _regional("JU", "Air Serbia", "RS", "BEG"),
    _regional("A3", "Aegean Airlines", "GR", "ATH SKG"),
    _regional("KM", "KM Malta Airlines", "MT", "MLA"),
    _network("TK", "Turkish Airlines", "TR", "IST"),
    _regional("PC", "Pegasus Airlines", "TR", "SAW"),
    # The Middle East and Central Asia
    _network("EK", "Emirates", "AE", "DXB"),
    _network("EY", "Etihad Airways", "AE", "AUH"),
    _network("QR", "Qatar Airways", "QA", "DOH"),
    _network("SV", "Saudia", "SA", "JED RUH"),
    _network("GF", "Gulf Air", "BH", "BAH"),
    _network("KU", "Kuwait Airways", "KW", "KWI"),
    _network("WY", "Oman Air", "OM", "MCT"),
    _network("RJ", "Royal Jordanian", "JO", "AMM"),
    _regional("ME", "Middle East Airlines", "LB", "BEY"),
    _network("LY", "El Al", "IL", "TLV"),
    _regional("J2", "Azerbaijan Airlines", "AZ", "GYD"),
    _regional("KC", "Air Astana", "KZ", "ALA NQZ"),
    _network("HY", "Uzbekistan Airways", "UZ", "TAS"),
    # Africa
    _network("MS", "EgyptAir", "EG", "CAI"),
    _network("AT", "Royal Air Maroc", "MA", "CMN"),
    _regional("TU", "Tunisair", "TN", "TUN"),
    _regional("AH", "Air Algérie", "DZ", "ALG"),
    _network("ET", "Ethiopian Airlines", "ET", "ADD"),
    _network("KQ", "Kenya Airways", "KE", "NBO"),
    _network("WB", "RwandAir", "RW", "KGL"),
    _network("SA", "South African Airways", "ZA", "JNB"),
    _regional("FA", "FlySafair", "ZA", "JNB CPT"),
    _regional("P4", "Air Peace", "NG", "LOS ABV"),
    _regional("HF", "Air Côte d'Ivoire", "CI", "ABJ"),
    _network("MK", "Air Mauritius", "MU", "MRU"),
    # North America
    _network("DL", "Delta Air Lines", "US", "ATL DTW MSP SLC JFK SEA"),
    _network("AA", "American Airlines", "US", "DFW CLT ORD MIA PHX LAX"),
    _network("UA", "United Airlines", "US", "ORD DEN IAH EWR SFO IAD"),
    _regional("WN", "Southwest Airlines", "US", "DAL MDW LAS BWI"),
    _network("B6", "JetBlue", "US", "JFK BOS FLL"),
    _network("AS", "Alaska Airlines", "US", "SEA PDX"),
    _network("HA", "Hawaiian Airlines", "US", "HNL"),
    _network("AC", "Air Canada", "CA", "YYZ YUL YVR"),
    _network("WS", "WestJet", "CA", "YYC"),
    _network("AM", "Aeroméxico", "MX", "MEX"),
    _regional("Y4", "Volaris", "MX", "GDL TIJ MEX"),
    # Central and South America, the Caribbean
    _regional("CM", "Copa Airlines", "PA", "PTY"),
    _network("AV", "Avianca", "CO", "BOG"),
    _network("LA", "LATAM Airlines", "CL", "SCL LIM"),
    _network("JJ", "LATAM Airlines Brasil", "BR", "GRU BSB"),
    _regional("G3", "GOL", "BR", "GRU GIG"),
    _network("AR", "Aerolíneas Argentinas", "AR", "EZE AEP"),
    _regional("BW", "Caribbean Airlines", "TT", "POS"),
    # South and East Asia
    _network("AI", "Air India", "IN", "DEL BOM"),
    _regional("6E", "IndiGo", "IN", "DEL BLR BOM"),
    _network("PK", "Pakistan International Airlines", "PK", "ISB KHI"),
    _network("UL", "SriLankan Airlines", "LK", "CMB"),
    _network("BG", "Biman Bangladesh Airlines", "BD", "DAC"),
    _regional("RA", "Nepal Airlines", "NP", "KTM"),
    _network("CA", "Air China", "CN", "PEK"),
    _network("MU", "China Eastern Airlines", "CN", "PVG"),
    _network("CZ", "China Southern Airlines", "CN", "CAN"),
    _network("CX", "Cathay Pacific", "HK", "HKG"),
    _network("CI", "China Airlines", "TW", "TPE"),
    _network("BR", "EVA Air", "TW", "TPE"),
    _network("NH", "ANA", "JP", "HND NRT"),
    _network("JL", "Japan Airlines", "JP", "HND NRT"),
    _network("KE", "Korean Air", "KR", "ICN"),
    _network("OZ", "Asiana Airlines", "KR", "ICN"),
    # South-East Asia and Oceania
    _network("SQ", "Singapore Airlines", "SG", "SIN"),
    _low_cost("TR", "Scoot", "SG", "SIN"),
    _network("TG", "Thai Airways", "TH", "BKK"),
    _network("MH", "Malaysia Airlines", "MY", "KUL"),
    _low_cost("AK", "AirAsia", "MY", "KUL"),
    _network("VN", "Vietnam Airlines", "VN", "SGN HAN"),
    _network("GA", "Garuda Indonesia", "ID", "CGK"),
    _network("PR", "Philippine Airlines", "PH", "MNL"),
    _network("QF", "Qantas", "AU", "SYD MEL BNE PER"),
    _regional("VA", "Virgin Australia", "AU", "BNE SYD MEL"),
    _network("NZ", "Air New Zealand", "NZ", "AKL"),
    _network("FJ", "Fiji Airways", "FJ", "NAN"),
)
