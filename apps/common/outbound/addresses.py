"""Which addresses a partner may send us to: public unicast, nothing that leads into our own network.

The ranges are written out, because `ipaddress.is_global` calls multicast, 6to4 and NAT64 global. IPv6 is an
allow-list: outside 2000::/3 nothing is public, which refuses the mapped, compatible, NAT64, local and
multicast ranges at once.
"""

import ipaddress
import socket

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# IANA's special-purpose registry, what is not unicast, and addresses that mean a cloud's platform to its machines. The clouds'
# other metadata services are within these ranges: 169.254.169.254, 100.100.100.200 (Alibaba), 192.0.0.192 (Oracle).
REFUSED_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared, behind carriers' NAT
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local: the clouds' metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        # Clouds' own services, which have public addresses and are reached only from within that cloud.
        "161.26.0.0/16",  # IBM: DNS, time, mirrors
        "166.8.0.0/14",  # IBM: service endpoints
        "168.63.129.16/32",  # Azure: the platform of the virtual machine (WireServer, DNS)
        "199.36.153.4/30",  # Google: restricted.googleapis.com
        "199.36.153.8/30",  # Google: private.googleapis.com
    )
)
UNICAST_V6 = ipaddress.IPv6Network("2000::/3")
REFUSED_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "2600:2d00:2:1000::/56",  # Google: restricted.googleapis.com
        "2600:2d00:2:2000::/56",  # Google: private.googleapis.com
        "3fff::/20",  # documentation
    )
)
ISATAP = {0x0000_5EFE, 0x0200_5EFE}  # the upper half of an interface id whose lower half is an IPv4 address
LOOPBACK = (ipaddress.IPv4Network("127.0.0.0/8"), ipaddress.IPv6Network("::1/128"))


def may_connect(address: IPAddress, *, allow_local: bool) -> bool:
    """Whether `address` is public, or loopback in its plain form where `allow_local` is set. This host's own are refused."""
    if any(address in network for network in LOOPBACK):
        return allow_local
    return is_public(address) and not _is_own(address)


def is_public(address: IPAddress) -> bool:
    """Whether `address` is public unicast, with no other address embedded that is not."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in REFUSED_V4)
    if address.scope_id is not None or address not in UNICAST_V6:
        return False
    if any(address in network for network in REFUSED_V6):
        return False
    embedded = _isatap(address)
    return embedded is None or is_public(embedded)


def _isatap(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    number = int(address)
    if (number >> 32) & 0xFFFF_FFFF not in ISATAP:
        return None
    return ipaddress.IPv4Address(number & 0xFFFF_FFFF)


def _is_own(address: IPAddress) -> bool:
    """Whether `address` is one of this host's: only those can be bound to."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
