"""A supplier that cannot be reached as configured stops every process at its start."""

import os
import subprocess
import sys
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from apps.suppliers.choice import SIMULATOR
from apps.suppliers.connectors import CONNECTORS, chosen, refuse_misconfigured
from tests.support.stack import ROOT

STARTS = {
    "manage.py": ["manage.py", "check"],
    "web": ["-c", "import config.wsgi"],
    "worker": ["-m", "celery", "-A", "config", "worker", "--pool", "solo"],
}


def live(settings: Any, **suppliers: str) -> None:
    settings.SUPPLIERS = {product: {"live": name} for product, name in suppliers.items()}


@pytest.mark.parametrize("product", CONNECTORS)
def test_every_connector_that_can_be_chosen_is_there_and_no_other(product: str) -> None:
    adapters = import_string(f"apps.{product}.suppliers.registry.ADAPTERS")
    assert {SIMULATOR, *CONNECTORS[product]} == set(adapters)


def test_what_must_be_told_can_be_told(settings: Any) -> None:
    for connectors in CONNECTORS.values():
        for name, needed in connectors.items():
            assert set(needed) <= set(settings.SUPPLIER_CREDENTIALS[name])
            for variable in needed.values():
                assert f"#{variable}=" in (ROOT / ".env.example").read_text()


def test_the_simulator_needs_nothing(settings: Any) -> None:
    live(settings, hotels="simulator", flights="simulator")
    assert list(chosen()) == []
    refuse_misconfigured()


def test_an_unknown_name_is_refused_with_the_known_ones(settings: Any) -> None:
    live(settings, hotels="acme")
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_misconfigured()
    assert str(refused.value) == "HOTELS_SUPPLIER is 'acme', and must be one of: simulator, liteapi."


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


@pytest.mark.stack
@pytest.mark.parametrize("process", STARTS)
def test_no_process_starts_with_a_supplier_that_it_cannot_reach(process: str) -> None:
    ended = subprocess.run(
        [sys.executable, *STARTS[process]],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTEST_VERSION": "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "FLIGHTS_SUPPLIER": "duffel",
            "DUFFEL_ACCESS_TOKEN": "",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert "FLIGHTS_SUPPLIER=duffel needs DUFFEL_ACCESS_TOKEN, which is not set." in ended.stderr
