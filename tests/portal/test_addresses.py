"""Remembered addresses are those that Django resolves."""

import pytest
from django.urls import reverse

from apps.portal.addresses import address_of, address_of_object, address_of_page


@pytest.mark.parametrize("environment", ["test", "live"])
@pytest.mark.parametrize(
    "name", ["request", "booking", "delivery", "event", "endpoint", "key", "booking_cancel"]
)
@pytest.mark.parametrize("pk", ["hbk_01kb2c8x", "0", "a b%ü?#", 7])
def test_the_address_of_an_object_is_djangos(name: str, environment: str, pk: object):
    assert address_of_object(name, environment, pk) == reverse(f"portal:{name}", args=[environment, str(pk)])


def test_the_address_of_a_page_is_djangos():
    assert address_of_page("home", "live") == reverse("portal:home", args=["live"])
    assert address_of_page("team") == reverse("portal:team")


@pytest.mark.parametrize("args", [("portal:exports", "live"), ("docs:guide", "limits"), ("mfa_index",)])
def test_an_address_by_its_name_is_djangos(args: tuple[str, ...]):
    name, *more = args
    assert address_of(name, *more) == reverse(name, args=more)
