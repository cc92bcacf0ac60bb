"""How many of a dispatcher's places and threads each account may have, so that nobody waits for another partner's receivers.

A batch that is older than a second waits for a slow receiver: it is stuck. It keeps its thread but gives its place back.

Places: an account may have three quarters of them, both environments together. Once one of its batches was stuck it may have a
quarter, and fewer the more of its batches are stuck, but always one. The last quarter of the places is for accounts that have
none yet, one each.

Threads: an account may have a quarter of them, and the last quarter is for accounts without stuck batches.

Live comes before test: the last eighth of places and threads is for live deliveries alone.
"""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from apps.common.environments import Environment
from apps.webhooks.services.batch import Batch
from apps.webhooks.services.claim import ClaimFilter

STUCK_SECONDS = 1.0
"""A batch that is older is stuck: it costs a thread, but no longer a place."""
THREADS_PER_PLACE = 8
"""Threads for each place: so many batches may be stuck before healthy endpoints have to wait."""
NONE: Counter[str] = Counter()


class Shares:
    """The batches of one dispatcher that are under way.

    `places` is how many batches are sent at once, not counting stuck ones; `of_account` is how many of them one account may have.
    """

    def __init__(self, places: int, of_account: int) -> None:
        self._places = places
        self._of_account = of_account
        self._batches: dict[UUID, Batch] = {}
        self._slow: set[str] = set()
        self._had_their_turn: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._batches)

    @property
    def threads(self) -> int:
        return self._places * THREADS_PER_PLACE

    def begin(self, batches: Iterable[Batch]) -> None:
        self._batches |= {batch.token: batch for batch in batches}

    def end(self, batch: Batch) -> None:
        del self._batches[batch.token]

    def free(self, environment: str) -> int:
        """How many batches of this environment may begin now. Each needs a thread, and a place until it is stuck."""
        kept = 0 if environment == Environment.LIVE else self._places // 8
        young = sum(batch.age < STUCK_SECONDS for batch in self._batches.values())
        threads_left = self.threads - kept * THREADS_PER_PLACE - len(self._batches)
        return min(self._places - kept - young, threads_left)

    def room(self, account_id: str, taken: Counter[str] = NONE) -> int:
        """How many more batches of this account may begin now. `taken`: batches by account that are about to begin."""
        ages = [batch.age for batch in self._batches.values() if batch.share_of == account_id]
        stuck = sum(age >= STUCK_SECONDS for age in ages)
        threads_left = self.threads - len(self._batches) - taken.total()
        if stuck:
            self._slow.add(account_id)
            if threads_left <= self.threads // 4:
                return 0
        most = max(1, (self._of_account - stuck) // 3) if account_id in self._slow else self._of_account
        has = len(ages) + taken[account_id]
        common = self.free(Environment.LIVE) - taken.total() - self._places // 4
        places = min(most - (has - stuck), max(common, 0 if has else 1))
        return max(0, min(places, self.threads // 4 - has))

    def claim_filter(self, environment: str) -> ClaimFilter:
        """For the next claim. Where an account has no room for all its endpoints, those that had their turn wait."""
        had = [endpoint_id for ids in self._had_their_turn.values() for endpoint_id in ids]
        return ClaimFilter(environments=[environment], room=self.room, full=self._full(), passed_over=had)

    def note_turns(self, claimed: Iterable[Batch]) -> bool:
        """Note whose turn it was, after a claim whose batches have begun.

        Returns whether all endpoints of an account had their turn, so that it is worth claiming again.
        """
        counts = Counter(batch.share_of for batch in claimed)
        over = [
            account_id
            for account_id in self._had_their_turn
            if not counts[account_id] and self.room(account_id)
        ]
        for account_id in over:
            del self._had_their_turn[account_id]
        for account_id in self._full():
            self._had_their_turn.setdefault(account_id, set())
        for batch in self._batches.values():
            if batch.share_of in self._had_their_turn:
                self._had_their_turn[batch.share_of].add(batch.endpoint_id)
        return bool(over)

    def _full(self) -> list[str]:
        accounts = {batch.share_of for batch in self._batches.values()}
        return [account_id for account_id in accounts if not self.room(account_id)]
