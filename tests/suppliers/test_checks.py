from typing import Any

from apps.suppliers.checks import (
    live_keys_reach_a_supplier,
    nobody_pays_for_what_is_simulated,
    rates_last_a_day,
)


def test_live_keys_that_would_reach_the_simulator_are_an_error_for_each_product(settings: Any) -> None:
    settings.SUPPLIERS = {"flights": {"live": "simulator"}, "hotels": {"live": "liteapi"}}
    (error,) = live_keys_reach_a_supplier()
    assert (error.id, error.msg) == ("suppliers.E001", "Live keys have nobody to buy flights from.")
    assert error.hint == "Set FLIGHTS_SUPPLIER to a supplier that is under contract, or to `off`."


def test_real_suppliers_for_all_products_pass(settings: Any) -> None:
    settings.SUPPLIERS = {"flights": {"live": "duffel"}, "esim": {"live": "off"}}
    assert live_keys_reach_a_supplier() == []


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
