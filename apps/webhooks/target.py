"""The one parser of endpoint URLs: used when an endpoint is stored and again before every send (contract §3,
Webhooks).
"""

import ipaddress
import re
from dataclasses import dataclass

from apps.common.outbound.addresses import IPAddress, may_connect
from apps.common.outbound.connection import DEFAULT_PORTS, Origin

MAX_LENGTH = 2048
URL = re.compile(
    r"(?P<scheme>[a-z]+)://(?P<authority>[^/?]*)(?P<path>/[^?]*)?(?P<query>\?.*)?", re.IGNORECASE
)
AUTHORITY = re.compile(r"(?P<host>\[[0-9a-f:.]*\]|[^:\[\]]+)(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
LOOKS_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Names that never leave a network (RFC 6761, RFC 6762, RFC 8375). What others resolve to is checked when
# connecting.
LOCAL_DOMAINS = ("localhost", "local", "internal", "home.arpa")


class UrlRefused(ValueError):
    """The URL may not be an endpoint; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed URL: where to connect, and the path to ask for."""

    origin: Origin
    path: str


def parse_url(url: str, *, allow_local: bool) -> Target:
    """`url` as a target; raises UrlRefused. `allow_local` admits http and this host itself, nothing else."""
    scheme, authority, path = _split(url)
    if scheme not in (("https", "http") if allow_local else ("https",)):
        raise UrlRefused("must be an https URL")
    host, port = _host_and_port(authority, scheme)
    address = _literal(host, allow_local)
    if address is None:
        _check_name(host, allow_local)
    return Target(Origin(scheme, str(address) if address else host, port), path)


def _split(url: str) -> tuple[str, str, str]:
    """Scheme, authority and path."""
    if len(url) > MAX_LENGTH:
        raise UrlRefused(f"must have at most {MAX_LENGTH} characters")
    if not all("!" <= character <= "~" for character in url) or "\\" in url:
        raise UrlRefused(
            "must be printable ASCII without spaces or backslashes; write other names in their xn-- form"
        )
    if "#" in url:
        raise UrlRefused("must not have a fragment")
    parts = URL.fullmatch(url)
    if parts is None:
        raise UrlRefused("must be an https URL")
    if "@" in parts["authority"]:
        raise UrlRefused("must not have a user name or password")
    path = (parts["path"] or "/") + (parts["query"] or "")
    return parts["scheme"].lower(), parts["authority"], path


def _host_and_port(authority: str, scheme: str) -> tuple[str, int]:
    parts = AUTHORITY.fullmatch(authority)
    if parts is None:
        raise UrlRefused("must have a host, and a port in plain digits where it has one")
    port = int(parts["port"]) if parts["port"] else DEFAULT_PORTS[scheme]
    if port != 443 and not 1024 <= port <= 65535:
        raise UrlRefused("must use port 443, or one from 1024 up")
    return parts["host"].lower(), port


def _literal(host: str, allow_local: bool) -> IPAddress | None:
    """The address where the host is one, in its one plain form; decimal, octal, hexadecimal and short forms
    are refused.
    """
    if not host.startswith("[") and not LOOKS_NUMERIC.fullmatch(host.rsplit(".", 1)[-1]):
        return None
    try:
        if host.startswith("["):
            address: IPAddress = ipaddress.IPv6Address(host[1:-1])
        else:
            address = ipaddress.IPv4Address(host)
    except ValueError:
        raise UrlRefused("must have a host name, or an IP address in its plain form") from None
    if not may_connect(address, allow_local=allow_local):
        raise UrlRefused("must have a public host")
    return address


def _check_name(host: str, allow_local: bool) -> None:
    labels = host.split(".")
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise UrlRefused("must have a well-formed host name")
    if host == "localhost" and allow_local:
        return
    local = any(host == domain or host.endswith(f".{domain}") for domain in LOCAL_DOMAINS)
    if local or len(labels) == 1:
        raise UrlRefused("must have a public host")
