from typing import Any

from apps.suppliers.checks import live_keys_reach_a_supplier, rates_last_a_day


def test_live_keys_that_would_reach_the_simulator_are_an_error_for_each_product(settings: Any) -> None:
    settings.SUPPLIERS = {"flights": {"live": "simulator"}, "hotels": {"live": "liteapi"}}
    (error,) = live_keys_reach_a_supplier()
    assert (error.id, error.msg) == ("suppliers.E001", "Live keys would buy flights from the simulator.")
    assert error.hint == "Set FLIGHTS_SUPPLIER to a supplier that is under contract."


def test_real_suppliers_for_all_products_pass(settings: Any) -> None:
    settings.SUPPLIERS = {"flights": {"live": "duffel"}}
    assert live_keys_reach_a_supplier() == []


def test_a_rate_lasts_a_day_at_least(settings: Any) -> None:
    assert rates_last_a_day() == []
    settings.EXCHANGE_RATE_MAX_AGE_DAYS = 0
    (error,) = rates_last_a_day()
    assert (error.id, error.hint) == ("suppliers.E002", "It is 0.")
