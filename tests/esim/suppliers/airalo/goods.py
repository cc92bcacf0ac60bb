"""What the stub of Airalo sells: their shapes, our values."""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

PICTURE = {"width": 132, "height": 99, "url": "https://stub.example/picture.png"}
SLOWER = "Lower speed rate of 1 Mbps after 3 GB usage per day."
CENT = Decimal("0.01")
EUROS_A_DOLLAR = Decimal("0.92")

SANDBOX = {
    "test-insufficient-balance-7days-1gb": 11,
    "test-maintenance-mode-7days-1gb": 13,
    "test-disabled-top-up-7days-1gb": 23,
    "test-not-enough-7days-1gb": 33,
    "test-out-of-stock-7days-1gb": 34,
}
"""The packages of their sandbox that fail on purpose, and the code each answers."""


def package(id: str, price: str, *, amount: int = 1024, day: int = 7, **more: Any) -> dict[str, Any]:
    """`price` is the net one."""
    return {
        "id": id,
        "type": "sim",
        "title": f"{amount // 1024} GB - {day} Days",
        "amount": amount,
        "day": day,
        "is_unlimited": False,
        "data": f"{amount // 1024} GB",
        "voice": None,
        "text": None,
        "short_info": None,
        "qr_installation": "<p>Scan the code.</p>",
        "manual_installation": "<p>Type in the code.</p>",
        "is_fair_usage_policy": False,
        "fair_usage_policy": None,
        "net_price": Decimal(price),
        **more,
    }


def operator(*packages: dict[str, Any], countries: tuple[str, ...], **more: Any) -> dict[str, Any]:
    return {
        "id": 901,
        "title": "Stubtel",
        "type": "local" if len(countries) == 1 else "global",
        "plan_type": "data",
        "is_kyc_verify": False,
        "esim_type": "Prepaid",
        "is_prepaid": False,
        "style": "light",
        "gradient_start": "#000000",
        "gradient_end": "#ffffff",
        "image": PICTURE,
        "activation_policy": "first-usage",
        "rechargeability": True,
        "install_window_days": None,
        "topup_grace_window_days": 180,
        "apn_type": "automatic",
        "apn_value": None,
        "apn": {os: {"apn_type": "automatic", "apn_value": None} for os in ("ios", "android")},
        "is_roaming": True,
        "info": ["Data only."],
        "warning": None,
        "other_info": None,
        "coverages": [
            {"name": code, "code": code, "networks": [{"name": f"Stubnet {code}", "types": ["4G", "5G"]}]}
            for code in countries
        ],
        "countries": [{"country_code": code, "title": code, "image": PICTURE} for code in countries],
        "packages": list(packages),
        **more,
    }


def unlimited(id: str, price: str, **more: Any) -> dict[str, Any]:
    return package(
        id,
        price,
        amount=0,
        day=10,
        title="Unlimited - 10 days",
        data="Unlimited",
        is_unlimited=True,
        fair_usage_policy=SLOWER,
        **more,
    )


def country(slug: str, code: str, *operators: dict[str, Any]) -> dict[str, Any]:
    return place(slug, code, *operators)


def region(slug: str, *operators: dict[str, Any]) -> dict[str, Any]:
    return place(slug, "", *operators)


def place(slug: str, code: str, *operators: dict[str, Any]) -> dict[str, Any]:
    return {
        "slug": slug,
        "country_code": code,
        "title": slug.title(),
        "image": PICTURE,
        "min_price": {"net_price": {"USD": Decimal(1)}, "recommended_retail_price": {"USD": Decimal(2)}},
        "operators": list(operators),
    }


LOCAL = [
    country(
        "portugal",
        "PT",
        operator(
            package("stubtel-7days-1gb", "3.2"),
            package("stubtel-30days-5gb", "10.45", amount=5120, day=30),
            unlimited("stubtel-unlimited", "21"),
            package("stubtel-7days-1gb-topup", "3", type="topup"),
            countries=("PT",),
        ),
        operator(package("passport-7days-1gb", "2"), countries=("PT",), is_kyc_verify=True),
    ),
    country(
        "spain",
        "ES",
        operator(
            package("stubtel-es-voice", "12.5", voice=60, text=20),
            countries=("ES",),
            warning="Calls to Spain alone.",
            other_info="The line has a Spanish number.",
            install_window_days=365,
        ),
    ),
    country(
        "united-states",
        "US",
        operator(*(package(id, "90") for id in SANDBOX), countries=("US",)),
    ),
]
GLOBAL = [
    region(
        "europe",
        operator(package("europe-30days-3gb", "9", amount=3072, day=30), countries=("ES", "FR", "PT")),
    ),
    region("world", operator(unlimited("world-talk", "60", voice=100), countries=("PT", "US", "JP"))),
    region("the-moon", operator(package("moon-7days-1gb", "1"), countries=("PT", "ES"))),
]


def shelf(kind: str, *, percent: int) -> list[dict[str, Any]]:
    """The places of a kind with their packages priced; `percent` of what they cost at first."""
    places = LOCAL if kind == "local" else GLOBAL
    return [
        {
            **place,
            "operators": [
                {**op, "packages": [priced(p, percent) for p in op["packages"]]} for op in place["operators"]
            ],
        }
        for place in places
    ]


def priced(package: dict[str, Any], percent: int) -> dict[str, Any]:
    """Numbers, as in their catalogue."""
    net = rounded(package["net_price"] * percent / 100)
    retail = rounded(net * Decimal("1.25"))
    return {
        **package,
        "net_price": net,
        "price": retail,
        "prices": {
            "net_price": {"USD": net, "EUR": rounded(net * EUROS_A_DOLLAR)},
            "recommended_retail_price": {"USD": retail, "EUR": rounded(retail * EUROS_A_DOLLAR)},
        },
    }


def packages_on(places: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for place in places:
        for op in place["operators"]:
            yield from op["packages"]


TOP_UPS = [
    package("stubtel-7days-1gb-topup", "3", type="topup"),
    package("stubtel-30days-3gb-topup", "7", amount=3072, day=30, type="topup"),
]
"""What every profile can be topped up with."""


def top_ups(*, percent: int) -> list[dict[str, Any]]:
    return [priced(each, percent) for each in TOP_UPS]


def without_top_ups(places: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As the catalogue is where it was not asked to include them."""
    return [
        {
            **place,
            "operators": [
                {**op, "packages": [p for p in op["packages"] if p["type"] == "sim"]}
                for op in place["operators"]
            ],
        }
        for place in places
    ]


STEPS = {"1": "Open the settings.", "2": "Scan the QR code.", "10": "Turn the line on."}


def guide(version: str | None, **network: Any) -> dict[str, Any]:
    return {
        "model": None,
        "version": version,
        "installation_via_qr_code": {
            "steps": STEPS,
            "qr_code_data": "-",
            "qr_code_url": "https://stub.example/qr",
        },
        "installation_manual": {
            "steps": {"1": "Type in the codes."},
            "smdp_address_and_activation_code": "-",
        },
        "network_setup": {
            "steps": {"1": "Choose the network."},
            "apn_type": "automatic",
            "apn_value": None,
            "is_roaming": None,
            **network,
        },
    }


LANGUAGE_LIST = """
    ar zh cs nl en fr ka de el he hi it ja ko pl pt ru tl th tr uk zh-CN pt-BR es-419 hy-AM zh-TW vls-BE pt-PT sr-CS es-ES sv-SE
    ur-PK fil sq az bg hr da et fi hun kmr ky lv lt mk ms nb ro sk uz vi
"""
LANGUAGES = frozenset(LANGUAGE_LIST.split())
"""As their help pages list them."""


def instructions_in(language: str) -> dict[str, Any]:
    return {
        "instructions": {
            "language": language.upper(),
            "ios": [guide("15.0,14.0.,13.0,12.0"), guide(None)],
            "android": [guide(None, apn_type="manual", apn_value="globaldata", is_roaming=True)],
        }
    }


def rounded(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)
