"""Limits on wrong passwords and codes. They slow guessing down and lock nobody out.

An attempt is counted before it is checked, so that parallel attempts all count, and taken back when it was right. After too many
attempts the next one has to wait, each time longer. The counts are rows in PostgreSQL, because they must hold without Redis.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest

from apps.accounts.models import User
from apps.common import clock
from apps.common.querysets import prune
from apps.portal.models import SignInAttemptCount
from apps.portal.sign_in.devices import device_known_to, email_digest
from apps.portal.sign_in.networks import origin_of
from apps.portal.sign_in.too_many_attempts import TooManyAttempts

MINUTE, HOUR, DAY = 60, 3_600, 86_400


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """How long the next attempt waits, by the number of attempts within `window` seconds from the first one.

    `free` attempts need no wait. After each further one the wait is `first` seconds, doubled each time, at most `longest`. From
    the attempt numbered `most` on it is `slowest`. All in seconds.
    """

    window: int
    free: int
    most: int
    slowest: int
    first: int = 10
    longest: int = 15 * MINUTE

    def wait(self, count: int) -> int:
        """Seconds until the next attempt is accepted, after `count` attempts."""
        if count >= self.most:
            return self.slowest
        return min(self.first * 2 ** min(count - self.free, 20), self.longest) if count >= self.free else 0


ONE_PERSON_FROM_ONE_PLACE = BackoffPolicy(window=HOUR, free=5, most=1_000, slowest=HOUR)
"""Passwords of one person, from one network, session or known browser."""
FROM_ONE_ADDRESS = BackoffPolicy(window=MINUTE, free=10, most=10, slowest=MINUTE)
"""Passwords of anybody, from one unknown address."""


def one_person_from_unknown_places() -> BackoffPolicy:
    most = settings.SIGN_IN_GUESSES_PER_HOUR
    return BackoffPolicy(window=HOUR, free=most, most=most, slowest=HOUR)


def codes_of_one_person() -> BackoffPolicy:
    return BackoffPolicy(window=DAY, free=5, most=settings.TWO_FACTOR_TRIES_PER_DAY, slowest=HOUR)


@dataclass(frozen=True, slots=True)
class CountedAttempt:
    """The rows that one attempt was counted in."""

    keys: Sequence[str]
    starts_anew: bool
    """Whether a right attempt resets the first of `keys` to zero."""

    def succeeded(self) -> None:
        rows = SignInAttemptCount.objects.filter(pk__in=self.keys, count__gt=0)
        rows.update(count=F("count") - 1, held_until=None)
        if self.starts_anew:
            SignInAttemptCount.objects.filter(pk=self.keys[0]).delete()


def count_password(request: HttpRequest, email: str) -> CountedAttempt:
    """Count a password that is about to be checked. Raises TooManyAttempts while the next one has to wait.

    Guesses from elsewhere do not slow a known browser of `email`. They slow another network only after the total of the hour.
    """
    device, who = device_known_to(request, email), email_digest(email)
    if device is not None:
        counted = {f"password:{who}:device:{device.id}": ONE_PERSON_FROM_ONE_PLACE}
    elif isinstance(request.user, User):  # asked again within a session
        counted = {f"password:{who}:session": ONE_PERSON_FROM_ONE_PLACE}
    else:
        origin = origin_of(request)
        counted = {
            f"password:{who}:network:{origin.network}": ONE_PERSON_FROM_ONE_PLACE,
            f"password:{who}": one_person_from_unknown_places(),
            f"password:address:{origin.address}": FROM_ONE_ADDRESS,
        }
    return CountedAttempt(_count(counted, may_reset=device is None), starts_anew=True)


def count_code(request: HttpRequest, user: User) -> CountedAttempt:
    """Count a code that is about to be checked. The count is per day; a known browser of `user` has its own.

    Raises TooManyAttempts while the next one has to wait.
    """
    device = device_known_to(request, user.email)
    place = f"device:{device.id}" if device else "elsewhere"
    return CountedAttempt(_count({f"code:{user.pk}:{place}": codes_of_one_person()}), starts_anew=False)


@transaction.atomic
def _count(counted: dict[str, BackoffPolicy], *, may_reset: bool = False) -> list[str]:
    """Add one to every count, or to none. Raises TooManyAttempts with the longest wait."""
    of = {hashlib.sha256(name.encode()).hexdigest(): policy for name, policy in counted.items()}
    fresh = [SignInAttemptCount(pk=key, forget_at=clock.now()) for key in sorted(of)]
    SignInAttemptCount.objects.bulk_create(
        fresh, ignore_conflicts=True
    )  # in the order in which they are locked
    rows = list(SignInAttemptCount.objects.select_for_update().filter(pk__in=of).order_by("pk"))
    now = clock.now()  # read after the lock, because waiting for it takes time
    left = max((_left(row, now) for row in rows), default=timedelta(0))
    if left > timedelta(0):
        raise TooManyAttempts(left.total_seconds(), may_reset=may_reset)
    for row in rows:
        _add(row, of[row.pk], now)
    return list(of)


def _left(row: SignInAttemptCount, now: datetime) -> timedelta:
    """How long the next attempt has to wait."""
    return min(row.held_until, row.forget_at) - now if row.held_until else timedelta(0)


def _add(row: SignInAttemptCount, policy: BackoffPolicy, now: datetime) -> None:
    if row.forget_at <= now:
        row.count, row.forget_at = 0, now + timedelta(seconds=policy.window)
    row.count += 1
    wait = policy.wait(row.count)
    row.held_until = now + timedelta(seconds=wait) if wait else None
    row.save(update_fields=["count", "held_until", "forget_at"])


def prune_attempts() -> int:
    """Delete counts that have run out. Returns how many."""
    return prune(SignInAttemptCount.objects.filter(forget_at__lt=clock.now()))
