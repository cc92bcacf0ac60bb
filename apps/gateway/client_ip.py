"""The address that a call comes from (contract §2): the socket's, or the one that our own proxy reports.

A proxy reports it in a header that it overwrites, or as an entry of X-Forwarded-For: the right-most one that none of ours wrote.
"""

import ipaddress

from django.conf import settings
from django.http import HttpRequest

LONGEST_ADDRESS = 45


def client_address(request: HttpRequest) -> str:
    """The client's address, for the keys' address lists, the rate limits and the request log.

    CLIENT_ADDRESS_HEADER is set: the value of that header. TRUSTED_PROXY_COUNT is n: the n-th entry of X-Forwarded-For from the
    right. Otherwise, and where the header holds no address: the address of the socket.
    """
    meta = request.META
    socket_address: str = meta.get("REMOTE_ADDR", "")
    if settings.CLIENT_ADDRESS_HEADER:
        named = meta.get("HTTP_" + settings.CLIENT_ADDRESS_HEADER.upper().replace("-", "_"), "")
        return named if is_address(named) else socket_address
    count = settings.TRUSTED_PROXY_COUNT
    if not count:
        return socket_address
    hops = [hop.strip() for hop in meta.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
    said = hops[-count] if len(hops) >= count else (hops[0] if hops else "")
    return said if is_address(said) else socket_address


def is_address(text: str) -> bool:
    """Whether it is an address, without a zone: that may be a text of any length, and means something on one link alone."""
    if len(text) > LONGEST_ADDRESS or "%" in text:
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def address_to_log(sent: str) -> str:
    """`sent` if it is an address, else empty. Behind a misconfigured proxy it may be anything, of any length."""
    return sent if is_address(sent) else ""
