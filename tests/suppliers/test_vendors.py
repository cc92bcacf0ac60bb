"""A supplier's declaration: what the settings read of it, and where it is found."""

import pytest
from environ import Env

from apps.suppliers.registry import SIMULATOR
from apps.suppliers.vendors import Variable, declared, read_credentials, vendors_of


class Told(Env):
    """An environment of these variables alone."""

    ENVIRON = {"ACME_KEY": "k", "ACME_LENIENT": "true"}


def test_a_variable_is_read_as_what_its_default_is() -> None:
    env = Told()
    assert Variable("ACME_KEY").read(env) == "k"
    assert Variable("ACME_URL", "https://acme.example").read(env) == "https://acme.example"
    assert Variable("ACME_LENIENT", default=False).read(env) is True
    assert Variable("ACME_STRICT", default=False).read(env) is False


def test_vendors_are_found_by_the_names_of_their_folders() -> None:
    assert list(declared("apps.esim.suppliers", "simulator", "airalo")) == ["simulator", "airalo"]
    with pytest.raises(ModuleNotFoundError):
        declared("apps.esim.suppliers", "acme")


@pytest.mark.parametrize("product", ["flights", "hotels", "transfers", "esim"])
def test_what_is_registered_is_what_everybody_reads(product: str) -> None:
    vendors = vendors_of(product)
    assert vendors is vendors_of(product)
    assert "simulator" in vendors
    for name, vendor in vendors.items():
        assert vendor.build().name == vendor.name == name


def test_credentials_are_read_for_every_vendor_that_needs_any() -> None:
    products = ("flights", "esim")
    found = read_credentials(products, Told())
    assert set(found) == {name for product in products for name in vendors_of(product)} - {SIMULATOR}
    assert found["duffel"] == {
        "access_token": "",
        "webhook_secret": "",
        "base_url": "https://api.duffel.com",
        "cancel_into_vouchers": False,
    }
