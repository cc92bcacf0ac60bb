"""Requests a minute, per key and class; failed authentications per address and class (contract §2, step 10).

A window is fixed: it begins with the minute. One atomic script in Redis counts and reads it. Without Redis searches and bookings
are refused with 503 before any claim or hold is made, and reads are served.
"""

from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Address, ip_address

from django.conf import settings

from apps.common import clock
from apps.common.errors import RateLimitExceeded, UpstreamUnavailable
from apps.common.redis import RedisUnavailable, Script
from apps.gateway.routes import RateClass
from apps.keys.partner import Partner

WINDOW_SECONDS = 60

# Counts only the calls that it admits, so that refused calls do not use the window up.
COUNT = Script("""
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used >= tonumber(ARGV[1]) then return {0, used} end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return {1, used + 1}
""")
PEEK = Script("return {1, tonumber(redis.call('GET', KEYS[1]) or '0')}")


@dataclass(frozen=True, slots=True)
class Window:
    """The window of this minute, as the X-RateLimit-* headers show it."""

    limit: int
    used: int
    reset_at: int
    admitted: bool = True

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, self.limit - self.used)),
            "X-RateLimit-Reset": str(self.reset_at),
        }


def limit_of(partner: Partner, rate_class: RateClass) -> int:
    """Requests a minute: the account's own limit, else the deployment's."""
    return partner.rates.get(rate_class, settings.RATE_LIMITS[rate_class])


def count_call(partner: Partner, rate_class: RateClass) -> Window:
    """Count this call in its key's window."""
    return _window(f"{partner.key_id}", rate_class, limit_of(partner, rate_class), clock.now(partner), COUNT)


def peek(partner: Partner, rate_class: RateClass) -> Window:
    """Read the key's window without counting a call."""
    return _window(f"{partner.key_id}", rate_class, limit_of(partner, rate_class), clock.now(partner), PEEK)


def peek_at_address(address: str, rate_class: RateClass) -> Window:
    """Read the window of an address without counting a call, because its key is valid."""
    return _window(window_owner(address), rate_class, settings.RATE_LIMITS[rate_class], clock.now(), PEEK)


def count_failed_authentication(address: str, rate_class: RateClass) -> Window:
    """Count a call without a valid key in the window of its address, so that keys cannot be guessed at speed."""
    return _window(window_owner(address), rate_class, settings.RATE_LIMITS[rate_class], clock.now(), COUNT)


def window_owner(address: str) -> str:
    """Who shares a window: an IPv4 address alone, an IPv6 address with its /64 network, whose addresses one host can all use.

    All text that is no address shares one window. It comes from a misconfigured proxy, and a window for each would fill Redis.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return "ip:unknown"
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return f"ip:{IPv6Address(int(found) >> 64 << 64)}/64"
    return f"ip:{address.removeprefix('::ffff:')}"


def refuse_above_limit(window: Window, now: datetime, *, whose: str) -> None:
    """Raises RateLimitExceeded with Retry-After once the window is full. The log names `whose` window it is."""
    if not window.admitted:
        wait = max(1, window.reset_at - int(now.timestamp()))
        raise RateLimitExceeded(
            f"More than {window.limit} requests in a minute; wait {wait} s.",
            ours=True,
            why=f"In this minute {whose} had used all {window.limit} calls of its class.",
            headers={"Retry-After": str(wait)},
            retryAfter=wait,
        )


def _window(who: str, rate_class: RateClass, limit: int, now: datetime, script: Script) -> Window:
    start = int(now.timestamp()) // WINDOW_SECONDS * WINDOW_SECONDS
    key = f"rate:{who}:{rate_class}:{start}"
    try:
        admitted, used = script.run(keys=[key], args=[limit, 2 * WINDOW_SECONDS])
    except RedisUnavailable:
        if rate_class is not RateClass.READ and script is COUNT and not who.startswith("ip:"):
            raise UpstreamUnavailable(
                "An internal service did not answer; try again shortly.", ours=True
            ) from None
        admitted, used = 1, 0
    return Window(limit, int(used), start + WINDOW_SECONDS, bool(admitted))
