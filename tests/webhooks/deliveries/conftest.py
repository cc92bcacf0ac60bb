"""A dispatcher whose clock stands still, and whose claims find what they are told to."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from apps.webhooks.deliveries import dispatch
from apps.webhooks.deliveries.claim import Batch, ClaimFilter
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.sender import Sender

PLACES = 4


@dataclass
class Hands:
    """The clock, which moves when it is told to; the claims that were made, and what the next ones find."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)
    claims: list[tuple[str, str, int]] = field(default_factory=list)
    due: list[list[Batch]] = field(default_factory=list)
    sent: list[tuple[Any, ...]] = field(default_factory=list)

    def monotonic(self) -> float:
        return self.now

    def claim(self, *, batches: int, after: str, only: ClaimFilter) -> list[Batch]:
        [environment] = only.environments
        self.claims.append((environment, after, batches))
        return self.due.pop(0) if self.due else []

    def submit(self, work: object, *arguments: Any, **options: Any) -> None:
        self.sent.append((work, *arguments, options))

    def looks(self) -> list[str]:
        """In which environments it was looked since the last call."""
        seen = [environment for environment, _, _ in self.claims]
        self.claims.clear()
        return seen


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(
        dispatch, "time", SimpleNamespace(monotonic=hands.monotonic, sleep=hands.slept.append)
    )
    monkeypatch.setattr(dispatch, "claim", hands.claim)
    return hands


@pytest.fixture
def dispatcher(hands: Hands) -> Dispatcher:
    return Dispatcher(places=PLACES, of_account=PLACES, using=Sender())
