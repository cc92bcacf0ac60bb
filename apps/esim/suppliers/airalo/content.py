"""What of Airalo's packages partners see. `documented_package.txt` beside it has all of their fields."""

from pathlib import Path

from apps.esim.suppliers.airalo.client import NAME
from apps.suppliers.content import Content, documented_in

OPERATOR = "operators[]"
COVERED = f"{OPERATOR}.coverages[]"
PACKAGE = f"{OPERATOR}.packages[]"

LOOKS = "how their own shop looks"
ASKED_LATER = "the instructions of an order say it, for each kind of device"
TOPPED_UP = "the list of an order's top-ups says whether and with what it can be topped up now"
SAID_BY_NUMBERS = "the same as a number beside it"

SHOWN = {
    "slug": "region",
    "country_code": "countries, for a plan of one country",
    "title": "name",
    f"{OPERATOR}.is_kyc_verify": "such plans are not sold: withheld.identityCheck",
    f"{OPERATOR}.activation_policy": "activation",
    f"{OPERATOR}.install_window_days": "installWithinDays",
    f"{OPERATOR}.warning": "notes",
    f"{OPERATOR}.other_info": "notes",
    f"{COVERED}.name": "coverage.country, where it has no code",
    f"{COVERED}.code": "coverage.country",
    f"{COVERED}.networks[].name": "coverage.networks",
    f"{OPERATOR}.countries[].country_code": "countries, for a regional plan",
    f"{PACKAGE}.type": "top-ups are listed with the order that they are for",
    f"{PACKAGE}.title": "name",
    f"{PACKAGE}.net_price": "priceCents, where no price is in our currency by itself",
    f"{PACKAGE}.prices.net_price": "priceCents",
    f"{PACKAGE}.amount": "dataMb",
    f"{PACKAGE}.day": "validityDays",
    f"{PACKAGE}.is_unlimited": "planType, dataMb",
    f"{PACKAGE}.voice": "planType, voiceMinutes",
    f"{PACKAGE}.text": "planType, smsCount",
    f"{PACKAGE}.fair_usage_policy": "fairUsagePolicy",
}
PACKAGES = Content(
    supplier=NAME,
    subject="package",
    documented=documented_in(Path(__file__).with_name("documented_package.txt")),
    shown=SHOWN,
    withheld={
        "image": LOOKS,
        "min_price": "the lowest of the prices below it",
        f"{OPERATOR}.id": "an id of theirs, with which nothing can be asked",
        f"{OPERATOR}.style": LOOKS,
        f"{OPERATOR}.gradient_start": LOOKS,
        f"{OPERATOR}.gradient_end": LOOKS,
        f"{OPERATOR}.image": LOOKS,
        f"{OPERATOR}.countries[].title": "countries are shown by their codes",
        f"{OPERATOR}.countries[].image": LOOKS,
        f"{OPERATOR}.type": "local or global, which was asked for",
        f"{OPERATOR}.is_prepaid": "all that is sold here is paid before",
        f"{OPERATOR}.esim_type": "all that is sold here is paid before",
        f"{OPERATOR}.title": "a brand of theirs for one country's plans: coverage has the networks themselves",
        f"{OPERATOR}.plan_type": "the numbers of each package say it: planType",
        f"{OPERATOR}.apn_type": ASKED_LATER,
        f"{OPERATOR}.apn_value": ASKED_LATER,
        f"{OPERATOR}.apn": ASKED_LATER,
        f"{OPERATOR}.is_roaming": ASKED_LATER,
        f"{OPERATOR}.rechargeability": TOPPED_UP,
        f"{OPERATOR}.topup_grace_window_days": TOPPED_UP,
        f"{PACKAGE}.id": "partners have ids of ours: id",
        f"{PACKAGE}.price": "what travellers pay at Airalo; suggestedRetailCents follows your own markup",
        f"{PACKAGE}.prices.recommended_retail_price": (
            "what travellers pay at Airalo; suggestedRetailCents follows your own markup"
        ),
        f"{PACKAGE}.data": SAID_BY_NUMBERS,
        f"{PACKAGE}.qr_installation": ASKED_LATER,
        f"{PACKAGE}.manual_installation": ASKED_LATER,
        f"{PACKAGE}.is_fair_usage_policy": "that there is a text beside it",
        f"{PACKAGE}.short_info": "a summary of the other fields, in English",
        f"{OPERATOR}.info": "a summary of the other fields, in English",
    },
    not_yet={
        f"{COVERED}.networks[].types": "generations of networks, such as 5G, are not modelled yet",
    },
)
