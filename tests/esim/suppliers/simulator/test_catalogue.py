"""What the simulated price list holds."""

from collections import defaultdict

from apps.common.validators import COUNTRIES
from apps.esim.suppliers.simulator import catalogue

PLANS = catalogue.plans()
ALL_KINDS = {"data", "unlimited", "voice_sms"}


def test_every_country_has_plans_of_its_own_of_every_kind() -> None:
    kinds = defaultdict(set)
    for plan in PLANS.values():
        if plan.region is None:
            kinds[plan.countries].add(plan.plan_type)
    assert kinds == {(country,): ALL_KINDS for country in COUNTRIES}


def test_names_say_the_place_and_what_is_in_the_plan() -> None:
    assert PLANS["sim-pt-1gb-7d"].name == "Portugal 1 GB, 7 days"
    assert PLANS["sim-europe-unlimited-10d"].name == "Europe Unlimited, 10 days"
    assert PLANS["sim-us-5gb-60min-20sms-30d"].name == "United States 5 GB + 60 minutes + 20 SMS, 30 days"
    assert len({plan.name for plan in PLANS.values()}) == len(PLANS)


def test_countries_are_called_as_people_call_them() -> None:
    names = catalogue.countries()
    assert [names[code] for code in ("VG", "KR", "TZ", "FK", "VA")] == [
        "British Virgin Islands",
        "South Korea",
        "Tanzania",
        "Falkland Islands",
        "Holy See",
    ]
    assert len(set(names.values())) == len(names)
