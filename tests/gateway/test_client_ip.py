import pytest
from django.test import RequestFactory

from apps.gateway.client_ip import client_address
from tests.factories.gateway import api_of_new_partner

SOCKET = "192.0.2.1"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, None, SOCKET),
        (0, "203.0.113.9", SOCKET),
        (1, None, SOCKET),
        (1, "", SOCKET),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.7, 203.0.113.9", "203.0.113.9"),
        (1, "127.0.0.1,10.0.0.1 , 203.0.113.9 ", "203.0.113.9"),
        (2, "198.51.100.7, 203.0.113.9", "198.51.100.7"),
        (2, "1.1.1.1, 198.51.100.7, 203.0.113.9", "198.51.100.7"),
        (2, "203.0.113.9", "203.0.113.9"),
        (3, "198.51.100.7, 203.0.113.9", "198.51.100.7"),
        (1, "2001:db8::1", "2001:db8::1"),
        (1, "not-an-address", SOCKET),
        (1, "203.0.113.9:4711", SOCKET),
        (1, "fe80::1%eth0", SOCKET),
        (2, "not-an-address, 203.0.113.9", SOCKET),
        (1, "0:" * 10_000 + "1", SOCKET),
    ],
)
def test_the_right_most_entry_that_no_proxy_of_ours_wrote(
    settings, proxies: int, forwarded: str | None, address: str
):
    settings.TRUSTED_PROXY_COUNT = proxies
    more = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}

    assert client_address(RequestFactory().get("/", REMOTE_ADDR=SOCKET, **more)) == address


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("proxies", "forwarded", "status"),
    [
        (0, "198.51.100.7", 403),
        (1, "198.51.100.7", 200),
        (1, "198.51.100.7, 203.0.113.9", 403),
        (2, "198.51.100.7, 203.0.113.9", 200),
        (1, "not-an-address", 403),
    ],
)
def test_an_address_list_cannot_be_talked_round(settings, proxies: int, forwarded: str, status: int):
    settings.TRUSTED_PROXY_COUNT = proxies
    api = api_of_new_partner(allowed_ips=["198.51.100.0/24"])

    assert api.get("/v1/account", X_Forwarded_For=forwarded).status == status


@pytest.mark.parametrize(
    ("sent", "address"),
    [
        ({"HTTP_X_REAL_IP": "203.0.113.9"}, "203.0.113.9"),
        ({"HTTP_X_REAL_IP": "2001:db8::1"}, "2001:db8::1"),
        ({"HTTP_X_REAL_IP": "203.0.113.9", "HTTP_X_FORWARDED_FOR": "198.51.100.7"}, "203.0.113.9"),
        ({"HTTP_X_REAL_IP": "203.0.113.9,198.51.100.7"}, SOCKET),
        ({"HTTP_X_REAL_IP": "not-an-address"}, SOCKET),
        ({"HTTP_X_REAL_IP": "fe80::1%eth0"}, SOCKET),
        ({"HTTP_X_FORWARDED_FOR": "198.51.100.7"}, SOCKET),
        ({}, SOCKET),
    ],
)
def test_a_header_that_the_proxy_sets_says_it_all(settings, sent: dict[str, str], address: str):
    settings.CLIENT_ADDRESS_HEADER, settings.TRUSTED_PROXY_COUNT = "X-Real-IP", 1

    assert client_address(RequestFactory().get("/", REMOTE_ADDR=SOCKET, **sent)) == address
