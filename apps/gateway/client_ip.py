"""Where a call comes from (contract §2): the socket, or the right-most entry that no proxy of ours wrote."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """With TRUSTED_PROXY_COUNT = n, the n-th entry of X-Forwarded-For from the right; else the socket's address."""
    socket_address: str = request.META.get("REMOTE_ADDR", "")
    count = settings.TRUSTED_PROXY_COUNT
    if not count:
        return socket_address
    hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
    return hops[-count] if len(hops) >= count else (hops[0] if hops else socket_address)
