"""A supplier that cannot be reached as configured stops every process at its start."""

import re
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from apps.flights.suppliers import registry as flights
from apps.hotels.suppliers import registry as hotels
from apps.suppliers.checks import (
    chosen,
    live_keys_reach_a_supplier,
    nobody_pays_for_what_is_simulated,
    rates_last_a_day,
    refuse_misconfigured,
)
from apps.suppliers.errors import Unavailable
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.vendors import Vendor, vendors_of
from tests.support.stack import ROOT

PRODUCTS = ("flights", "hotels", "transfers", "esim")


def live(settings: Any, **suppliers: str) -> None:
    settings.SUPPLIERS = {product: {"live": name} for product, name in suppliers.items()}


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_connector_that_can_be_chosen_is_there_and_no_other(product: str) -> None:
    folders = {path.parent.name for path in (ROOT / f"apps/{product}/suppliers").glob("*/vendor.py")}
    assert SIMULATOR in folders
    assert folders == set(vendors_of(product))
    assert {name: vendor.name for name, vendor in vendors_of(product).items()} == {n: n for n in folders}


@pytest.mark.parametrize("product", PRODUCTS)
def test_what_must_be_told_can_be_told(product: str, settings: Any) -> None:
    real = {name: vendor for name, vendor in vendors_of(product).items() if name != SIMULATOR}
    assert real
    for name, vendor in real.items():
        explained = (ROOT / f"apps/{product}/suppliers/{name}/env.example").read_text()
        assert set(vendor.credentials) == set(settings.SUPPLIER_CREDENTIALS[name])
        assert any(variable.required for variable in vendor.credentials.values())
        for variable in vendor.credentials.values():
            assert f"#{variable.name}=" in explained


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_connector_is_held_to_its_products_contract(product: str) -> None:
    """What stands in CASES is what `test_contract.py` runs over."""
    cases = import_module(f"tests.{product}.suppliers.contract").CASES
    assert set(vendors_of(product)) <= set(cases)


def test_an_unknown_name_is_refused_with_the_known_ones(settings: Any) -> None:
    live(settings, hotels="acme")
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_misconfigured()
    known = ", ".join([*vendors_of("hotels"), "off"])
    assert str(refused.value) == f"HOTELS_SUPPLIER is 'acme', and must be one of: {known}."


def test_missing_credentials_are_refused_by_the_names_of_their_variables(settings: Any) -> None:
    live(settings, hotels="simulator", transfers="hotelbeds", esim="airalo")
    credentials = {"hotelbeds": {"key": "", "secret": ""}, "airalo": {"client_id": "a", "client_secret": ""}}
    settings.SUPPLIER_CREDENTIALS = credentials
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_misconfigured()
    assert str(refused.value) == (
        "TRANSFERS_SUPPLIER=hotelbeds needs HOTELBEDS_TRANSFERS_KEY, which is not set. "
        "TRANSFERS_SUPPLIER=hotelbeds needs HOTELBEDS_TRANSFERS_SECRET, which is not set. "
        "ESIM_SUPPLIER=airalo needs AIRALO_CLIENT_SECRET, which is not set."
    )
    credentials["hotelbeds"] = {"key": "k", "secret": "s"}
    credentials["airalo"]["client_secret"] = "b"
    refuse_misconfigured()
    assert list(chosen()) == [("transfers", "hotelbeds"), ("esim", "airalo")]


def test_live_keys_that_would_reach_the_simulator_are_an_error_for_each_product(settings: Any) -> None:
    settings.SUPPLIERS = {"flights": {"live": "simulator"}, "hotels": {"live": "liteapi"}}
    (error,) = live_keys_reach_a_supplier()
    assert (error.id, error.msg) == ("suppliers.E001", "No supplier serves live keys with flights.")
    assert error.hint == "Set FLIGHTS_SUPPLIER to a supplier that is under contract, or to `off`."


def test_where_only_test_keys_are_served_the_simulator_is_enough(settings: Any) -> None:
    settings.SUPPLIERS = {"flights": {"live": "simulator"}}
    assert len(live_keys_reach_a_supplier()) == 1
    settings.GATEWAY_ENVIRONMENT = "test"
    assert live_keys_reach_a_supplier() == []


def test_simulated_live_keys_are_an_error(settings: Any) -> None:
    settings.SIMULATE_LIVE_KEYS = True
    (error,) = nobody_pays_for_what_is_simulated()
    assert (error.id, error.hint) == ("suppliers.E003", "Unset SIMULATE_LIVE_KEYS.")
    settings.SIMULATE_LIVE_KEYS = False
    assert nobody_pays_for_what_is_simulated() == []


def test_a_rate_lasts_a_day_at_least(settings: Any) -> None:
    assert rates_last_a_day() == []
    settings.EXCHANGE_RATE_MAX_AGE_DAYS = 0
    (error,) = rates_last_a_day()
    assert (error.id, error.hint) == ("suppliers.E002", "It is 0.")


class Proving:
    """An adapter that is let in, says what it proved, or meets `failure`."""

    def __init__(self, said: str | None = None, failure: Exception | None = None) -> None:
        self._said, self._failure = said, failure

    def prove(self) -> str | None:
        if self._failure is not None:
            raise self._failure
        return self._said


@pytest.fixture
def acme(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """`acme(hotels=…, flights=…)` are the adapters of the supplier chosen for both."""
    settings.SUPPLIERS = {
        "hotels": {"live": "acme"},
        "flights": {"live": "acme"},
        "esim": {"live": "simulator"},
    }

    def connect(*, hotel: Proving, flight: Proving) -> None:
        monkeypatch.setitem(hotels.VENDORS, "acme", Vendor("acme", lambda: hotel))  # type: ignore[arg-type,return-value]
        monkeypatch.setitem(flights.VENDORS, "acme", Vendor("acme", lambda: flight))  # type: ignore[arg-type,return-value]

    return connect


def run(*, fails: bool = False) -> list[str]:
    """The table, with every number of milliseconds written as 0."""
    out = StringIO()
    if fails:
        with pytest.raises(CommandError, match="does not accept our credentials"):
            call_command("check_suppliers", stdout=out)
    else:
        call_command("check_suppliers", stdout=out)
    return [re.sub(r" +\d+ +", "  0  ", re.sub(r" {2,}", "  ", line)) for line in out.getvalue().splitlines()]


def test_what_each_supplier_lets_us_do_is_a_table(acme: Any) -> None:
    acme(hotel=Proving(), flight=Proving("listed one order"))
    assert run() == [
        "supplier  product  checked  ms  result",
        "acme  hotels  credentials accepted  0  ok",
        "acme  flights  listed one order  0  ok",
    ]


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [(Unavailable("key refused"), "Unavailable: key refused"), (KeyError("data"), "failed: KeyError")],
)
def test_one_that_does_not_let_us_in_fails_the_command_after_all_were_asked(
    acme: Any, failure: Exception, verdict: str
) -> None:
    acme(hotel=Proving(failure=failure), flight=Proving())
    assert run(fails=True)[1:] == [
        f"acme  hotels  nothing  0  {verdict}",
        "acme  flights  credentials accepted  0  ok",
    ]
