"""Remembered addresses are those that Django resolves."""

import pytest
from django.urls import reverse

from apps.portal.navigation import address_of, address_of_object, address_of_page


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


@pytest.mark.parametrize("args", [("portal:requests", "live"), ("docs:guide", "limits"), ("mfa_index",)])
def test_an_address_by_its_name_is_djangos(args: tuple[str, ...]):
    name, *more = args
    assert address_of(name, *more) == reverse(name, args=more)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/portal", "/portal/"),
        ("/admin", "/admin/"),
        ("/docs", "/docs/"),
        ("/docs/guides/first-call/", "/docs/guides/first-call"),
        ("/docs/errors/?q=%C3%A9", "/docs/errors?q=%C3%A9"),
        ("/docs/reference/hotels/", "/docs/reference/hotels"),
        ("/portal/test/keys?page=2", "/portal/test/keys/?page=2"),
        ("/account/login", "/account/login/"),
    ],
)
def test_an_address_without_its_slash_or_with_one_too_many_leads_to_the_page(client, asked, leads_to):
    answer = client.get(asked)
    assert (answer.status_code, answer["Location"]) == (302, leads_to)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/portal/none", "/docs/none/at/all/", "/portal//evil.example", "/v1/ping/", "/v1", "/healthz/"]
)
def test_what_is_no_page_either_way_is_not_found(client, path):
    assert client.get(path).status_code == 404
    assert client.post("/portal").status_code == 404
