"""Where a sign-in comes from: an address, and the network around it, in which further addresses are cheap to get."""

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from django.http import HttpRequest

from apps.gateway.client_ip import client_address


@dataclass(frozen=True, slots=True)
class Origin:
    """The network is a /24, or a /48 for IPv6. An IPv6 address is its /64, which one customer gets as a whole."""

    address: str
    network: str


def origin_of(request: HttpRequest) -> Origin:
    address_text = client_address(request)
    try:
        address = ip_address(address_text.partition("%")[0])
    except ValueError:  # a proxy wrote something else: it still counts as one address
        return Origin(address_text[:64], address_text[:64])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return Origin(_around(address, 64), _around(address, 48))
        address = address.ipv4_mapped
    return Origin(str(address), _around(address, 24))


def _around(address: object, prefix: int) -> str:
    return str(ip_network(f"{address}/{prefix}", strict=False))
