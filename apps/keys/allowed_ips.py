"""The list of addresses that a key may be used from: IPv4 addresses and CIDR ranges, and single IPv6 addresses.

An empty list allows every address. A list that is not empty but allows every IPv4 address, by one entry or by several together,
is refused: its author would rely on protection that does not exist (specification §5). Also refused are ranges that allow
2^24 addresses of the internet (a /8) or more, and ranges that no call ever comes from: 0.0.0.0/8, multicast, 240.0.0.0/4. Lists
stored before stay in force.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Network,
    IPv6Address,
    NetmaskValueError,
    collapse_addresses,
    ip_address,
)

from apps.common.errors import InvalidRequest

FIELD = "allowedIps"
MAX_ENTRIES = 100
MAX_PUBLIC_ADDRESSES = 2**24 - 1

NEVER_A_CALLER = {
    IPv4Network("0.0.0.0/8"): "is not a caller's address",
    IPv4Network("224.0.0.0/4"): "is a multicast address, not a caller's",
    IPv4Network("240.0.0.0/4"): "is reserved or the broadcast address, not a caller's",
}
PRIVATE = [
    IPv4Network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
]
"""However wide they are, these addresses are not used on the internet."""


class _EntryError(ValueError):
    """Why one entry cannot be stored."""


def parse_allowed_ips(entries: Iterable[str]) -> list[str]:
    """`entries` in canonical form, in their order, without repetitions. Raises InvalidRequest that names the wrong ones."""
    canonical: dict[str, None] = {}
    details = []
    for index, entry in enumerate(entries):
        try:
            canonical[_canonical(entry.strip())] = None
        except _EntryError as refusal:
            details.append({"field": f"{FIELD}.{index}", "message": str(refusal)})
    if details:
        raise InvalidRequest(details=details)
    if len(canonical) > MAX_ENTRIES:
        raise InvalidRequest.field(FIELD, f"At most {MAX_ENTRIES} entries.")
    _refuse_too_wide(canonical)
    return list(canonical)


def allows(allowed: Sequence[str], address: str) -> bool:
    """Whether a call from `address` is allowed by the canonical list `allowed`."""
    if not allowed:
        return True
    try:
        caller = _unwrapped(ip_address(address))
    except ValueError:
        return False
    return _compiled(tuple(allowed)).contains(caller)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A list made ready for comparing integers."""

    ranges: tuple[tuple[int, int], ...]
    """Network and mask of each IPv4 entry."""
    ipv6: frozenset[int]

    def contains(self, caller: IPv4Address | IPv6Address) -> bool:
        number = int(caller)
        if isinstance(caller, IPv6Address):
            return number in self.ipv6
        return any(number & mask == network for network, mask in self.ranges)


@lru_cache(maxsize=512)  # a list of a hundred entries takes 20 KB
def _compiled(allowed: tuple[str, ...]) -> _Compiled:
    networks = [IPv4Network(entry) for entry in allowed if ":" not in entry]
    return _Compiled(
        ranges=tuple((int(network.network_address), int(network.netmask)) for network in networks),
        ipv6=frozenset(int(IPv6Address(entry)) for entry in allowed if ":" in entry),
    )


def _canonical(entry: str) -> str:
    if ":" in entry:
        return _canonical_ipv6(entry)
    address, slash, length = entry.partition("/")
    if slash and not (length.isascii() and length.isdigit()):  # no netmask, no host mask
        raise _EntryError(f"{entry!r} is not an IPv4 address or CIDR range.")
    try:
        IPv4Address(address)
        network = IPv4Network(entry, strict=False)
    except (AddressValueError, NetmaskValueError):
        raise _EntryError(f"{entry!r} is not an IPv4 address or CIDR range.") from None
    for never, why in NEVER_A_CALLER.items():
        if network.subnet_of(never):
            raise _EntryError(f"{entry!r} {why}.")
    if network.prefixlen == 32:
        return str(network.network_address)
    if str(network.network_address) != address:
        raise _EntryError(f"{entry!r} has bits set beyond its range; did you mean {network}?")
    return str(network)


def _canonical_ipv6(entry: str) -> str:
    if "/" in entry:
        raise _EntryError("IPv6 ranges are not supported; list the addresses one by one.")
    try:
        address = IPv6Address(entry)
    except AddressValueError:
        raise _EntryError(f"{entry!r} is not an IP address.") from None
    if address.scope_id:
        raise _EntryError(f"{entry!r} carries a zone, which means nothing to another host.")
    unwrapped = _unwrapped(address)
    if isinstance(unwrapped, IPv4Address):
        return _canonical(str(unwrapped))
    if address.is_unspecified or address.is_multicast:
        raise _EntryError(f"{entry!r} is not a caller's address.")
    return str(address)


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """An IPv4 address as itself, where a dual-stack socket shows it as `::ffff:192.0.2.1`."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _refuse_too_wide(canonical: Iterable[str]) -> None:
    networks = list(collapse_addresses(IPv4Network(entry) for entry in canonical if ":" not in entry))
    if any(network.prefixlen == 0 for network in networks):
        raise InvalidRequest.field(FIELD, "This list would allow every address; leave it empty for that.")
    public = sum(
        network.num_addresses
        for network in networks
        if not any(network.subnet_of(private) for private in PRIVATE)
    )
    if public > MAX_PUBLIC_ADDRESSES:
        raise InvalidRequest.field(
            FIELD,
            f"This list would allow {public:,} addresses, which protects nothing: a /8 or more in all. "
            "Name the ranges that you call from.",
        )
