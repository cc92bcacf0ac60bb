"""How often and how much at once a partner may call (contract §2, step 10).

Requests a minute, per key and class; failed authentications per address and class. A window is fixed: it begins with the minute.
One atomic script in Redis counts and reads it. Without Redis searches and bookings are rejected with 503 before any claim or
hold is made, and reads are served.
"""

import threading
from collections import Counter as Counting
from datetime import datetime
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from rest_framework.throttling import BaseThrottle

from apps.common import clock
from apps.common.errors import RateLimitExceeded, UpstreamUnavailable
from apps.common.redis import COUNT as COUNTING
from apps.common.redis import Counter, RedisUnavailable, Script
from apps.gateway.operations import RateClass
from apps.gateway.requests import PartnerRequest, Window
from apps.keys.partner import Partner

WINDOW_SECONDS = 60

COUNT = Script(f"{COUNTING} return {{count(KEYS[1], ARGV[1], ARGV[2])}}")
PEEK = Script("return {1, tonumber(redis.call('GET', KEYS[1]) or '0')}")


class KeyThrottle(BaseThrottle):
    """Counts the call in the key's window, unless looking the key up has counted it."""

    def allow_request(self, request: PartnerRequest, view: object) -> bool:  # type: ignore[override]
        """Raises RateLimitExceeded, or UpstreamUnavailable for all but reads while Redis is away."""
        request.window = request.counted or count_call(request.partner, request.operation.rate_class)
        if not request.window.admitted:
            refuse_above_limit(request.window, clock.now(), whose="the key")
        return True


class ConcurrencyThrottle(BaseThrottle):
    """How many calls of one account and environment a web process carries out at once: WEB_ACCOUNT_CALLS, or half of its threads.

    A call holds its thread until its response, however slow a supplier is. Without a bound, one partner's slow calls
    take every thread. A call beyond the bound is rejected at once and nothing was begun, so that it may be repeated.
    """

    retry_after = 1
    least = 4
    """Half of a few threads would reject the calls of a partner who is alone."""
    lock = threading.Lock()
    running: Counting[tuple[str, str]] = Counting()

    def allow_request(self, request: PartnerRequest, view: object) -> bool:  # type: ignore[override]
        self.enter(request.partner)
        request.is_running = True
        return True

    @classmethod
    def enter(cls, partner: Partner) -> None:
        """Count a call that begins; `leave` when it ends. Raises RateLimitExceeded when the account has as many as it may."""
        holder = cls.holder_of(partner)
        most = settings.WEB_ACCOUNT_CALLS or max(cls.least, settings.WEB_THREADS // 2)
        with cls.lock:
            if cls.running[holder] < most:
                cls.running[holder] += 1
                return
        raise RateLimitExceeded(
            "Too many calls at the same time; nothing was begun. Send fewer at once.",
            ours=True,
            why=f"{most} calls of the account were running in this process already.",
            headers={"Retry-After": str(cls.retry_after)},
            retryAfter=cls.retry_after,
        )

    @classmethod
    def leave(cls, partner: Partner) -> None:
        """Count a call that has ended."""
        holder = cls.holder_of(partner)
        with cls.lock:
            cls.running[holder] -= 1
            if not cls.running[holder]:
                del cls.running[holder]

    @staticmethod
    def holder_of(partner: Partner) -> tuple[str, str]:
        """The account with all its sandboxes, and the environment."""
        return partner.shown_account_id, partner.environment


def limit_of(partner: Partner, rate_class: RateClass) -> int:
    """Requests a minute: the account's own limit, else the deployment's."""
    return partner.rates.get(rate_class, settings.RATE_LIMITS[rate_class])


def counter_of(partner: Partner, rate_class: RateClass) -> Counter:
    """The counter of this minute for the key and class. Its minutes are real ones, however far a sandbox's clock was moved."""
    return _counter(partner.key_id, rate_class, limit_of(partner, rate_class))


def count_call(partner: Partner, rate_class: RateClass) -> Window:
    """Count this call in its key's window. Raises UpstreamUnavailable for all but reads where Redis does not answer."""
    counter = counter_of(partner, rate_class)
    try:
        return _window(counter, COUNT)
    except RedisUnavailable:
        if rate_class is RateClass.READ:
            return seen(counter, 0)
        raise UpstreamUnavailable(
            "An internal service did not respond; try again shortly.", ours=True
        ) from None


def window_of(counter: Counter, script: Script = PEEK) -> Window:
    """The window as PEEK reads it, or COUNT after counting a call. As if nothing were used of it while Redis is away."""
    try:
        return _window(counter, script)
    except RedisUnavailable:
        return seen(counter, 0)


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


def counter_of_address(address: str, rate_class: RateClass) -> Counter:
    """The counter of calls without a valid key, so that keys cannot be guessed at speed."""
    return _counter(window_owner(address), rate_class, settings.RATE_LIMITS[rate_class])


def _counter(who: str, rate_class: RateClass, limit: int) -> Counter:
    start = int(clock.now().timestamp()) // WINDOW_SECONDS * WINDOW_SECONDS
    return Counter(f"rate:{who}:{rate_class}:{start}", limit, 2 * WINDOW_SECONDS, start + WINDOW_SECONDS)


def _window(counter: Counter, script: Script) -> Window:
    admitted, used = script.run(keys=[counter.key], args=[counter.limit, counter.seconds])
    return seen(counter, int(used), admitted=bool(admitted))


def seen(counter: Counter, used: int, *, admitted: bool = True) -> Window:
    return Window(counter.limit, used, counter.resets_at, admitted)
