"""What a connector brings to the kit: its stand-in, which request is which step, and what the stand-in has written down.

    class DuffelBench(Bench):
        product, vendor, word = "flights", "duffel", "flight"
        steps = {"search": "POST /air/offer_requests", "book": "POST /air/orders", …}

A step is `METHOD /path?name=value`: `*` stands for one part of the path, `**` for any number. The first that fits is it, so the
more particular one comes first. The steps are those of `STEPS`; a connector has as many of them as its supplier has calls.

Everything between the handlers and the socket is here, and none of it in the stand-ins: those may be written anew.
"""

import copy
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar

from tests.suppliers.kit.damage import Damage
from tests.support.supplier_stub import Answer, Heard, SupplierStub, Trouble

STEPS = {
    "token": "an access token",
    "search": "offers, or the catalogue",
    "check": "the price and the terms of now, before a booking",
    "book": "the booking itself",
    "find": "the bookings that may be the one whose answer was lost",
    "read": "one booking",
    "quote": "what cancelling would cost",
    "cancel": "the cancellation itself",
    "find_cancel": "the cancellation whose answer was lost",
    "alternatives": "what a booking can be changed to",
    "change": "the change itself",
    "services": "bags for an order that stands",
    "pay": "the payment for an order on hold",
    "payments": "the payments of an order",
    "top_up": "more data for a profile that was sold",
}
WRITES = ("book", "top_up", "change", "services", "cancel", "pay")
NAMED = ("book", "top_up")
"""Writes that bear our reference. A top-up is a booking of its own."""


@dataclass(frozen=True)
class Carried:
    """A write that the stand-in carried out: our reference where the request has one, and the supplier's."""

    step: str
    client_ref: str
    reference: str
    answer: Any
    told: Any = None
    """What arrived of it, where that was rewritten on its way."""

    @property
    def kind(self) -> str:
        """As `Operation.kind` has it."""
        return "book" if self.step in NAMED else self.step


@dataclass
class Expected:
    """A request on which something will happen, `left` times more (-1: always)."""

    damage: Damage
    left: int


class Bench(ABC):
    """One connector under attack. The stand-in serves already; `attached` puts this between it and its socket."""

    product: ClassVar[str]
    vendor: ClassVar[str]
    """As `settings.SUPPLIERS` and the vendor's folder have it."""
    word: ClassVar[str]
    """`Booking.product`."""
    steps: ClassVar[Mapping[str, str]]
    named: ClassVar[tuple[str, ...]] = NAMED
    """Its writes that bear our reference and make a booking of their own."""
    certain: ClassVar[frozenset[int]] = frozenset()
    """Statuses of which they promise that nothing was booked."""

    def __init__(self, stub: SupplierStub) -> None:
        self.stub = stub
        self.carried: list[Carried] = []
        self.asked: deque[tuple[str, str]] = deque()
        """(step, our reference) of every write that reached a handler."""
        self.answers: list[tuple[Heard, int, Any]] = []
        """What the handlers answered, before anything happened to it."""
        self._expected: dict[str, list[Expected]] = {}
        self._receive = stub.receive
        self._credentials: Heard | None = None
        self._fresh = False

    # --- what a connector says of itself --------------------------------------------------------------------------

    @abstractmethod
    def credentials(self) -> dict[str, Any]:
        """As `settings.SUPPLIER_CREDENTIALS[vendor]` has them."""

    @abstractmethod
    def our_reference(self, heard: Heard) -> str:
        """Of ours, in a booking's request."""

    @abstractmethod
    def their_reference(self, step: str, heard: Heard, answer: Any) -> str:
        """The booking that a write made or altered. Raises LookupError, TypeError where the answer is a refusal."""

    @abstractmethod
    def cost(self, answer: Any) -> Decimal:
        """What a booking costs by the answer to it, in major units."""

    @abstractmethod
    def stands(self, reference: str) -> bool:
        """Whether the stand-in says that the booking stands."""

    @abstractmethod
    def move_prices(self, percent: int) -> None:
        """All prices from now on, those of what was shown before included."""

    @abstractmethod
    def sell_out(self) -> None: ...

    @abstractmethod
    def call_off(self, reference: str) -> None:
        """The supplier itself cancels, and charges nothing."""

    def refusal(self, meaning: str) -> Damage | None:
        """Their documented answer with this meaning; None where they have none."""
        return None

    def webhook(self, made: Carried) -> tuple[bytes, dict[str, str]] | None:
        """A genuine event about this booking: body and headers. None for a supplier that sends none."""
        return None

    def pass_time(self, seconds: float) -> None:
        """The stand-in's clock, where it has one."""

    def prepare(self) -> None:
        """Once live keys buy here, before the first search."""

    def forget(self) -> None:
        """What outlives a test outside of the database."""

    # --- damage -----------------------------------------------------------------------------------------------------

    def expect(self, step: str, damage: Damage) -> None:
        assert step in self.steps, f"{self.vendor} has no step {step}"
        self._expected.setdefault(step, []).append(Expected(damage, damage.times))

    def calm(self) -> None:
        self._expected.clear()

    def step_of(self, method: str, path: str, query: Mapping[str, str]) -> str:
        for step, (verb, pattern, wanted) in self._patterns.items():
            fits = method == verb and pattern.fullmatch(path)
            if fits and all(query.get(name) == value for name, value in wanted.items()):
                return step
        return ""

    def next_damage(self, step: str) -> Damage | None:
        """What will happen to the next request of the step."""
        waiting = next((one for one in self._expected.get(step, ()) if one.left), None)
        return waiting.damage if waiting is not None else None

    @cached_property
    def _patterns(self) -> dict[str, tuple[str, re.Pattern[str], dict[str, str]]]:
        return {step: _pattern(text) for step, text in self.steps.items()}

    def _take(self, step: str) -> Damage | None:
        waiting = next((one for one in self._expected.get(step, ()) if one.left), None)
        if waiting is None:
            return None
        waiting.left -= 1
        return waiting.damage

    @contextmanager
    def attached(self) -> Iterator[None]:
        self.stub.receive = self.receive  # type: ignore[method-assign]
        try:
            yield
        finally:
            self.stub.receive = self._receive  # type: ignore[method-assign]
            self.forget()

    def receive(self, heard: Heard) -> tuple[Trouble, Answer]:
        with self.stub.lock:
            if heard.path.startswith("/_"):
                return self._receive(heard)
            self._credentials = heard
            step = self.step_of(heard.method, heard.path, heard.query)
            damage = self._take(step)
            if damage is not None and not damage.accept:
                self.stub.heard.append(heard)
                return damage, (damage.status or 500, damage.body)
            trouble, answer = self._receive(heard)
            self._write_down(step, heard, answer)
            if damage is None:
                return trouble, answer
            if damage.alter is not None:
                status, body, *rest = answer
                answer = (status, damage.alter(copy.deepcopy(body)), *rest)
                self._told_otherwise(answer[1])
            return damage, answer

    def _told_otherwise(self, body: Any) -> None:
        """What we were told of the last write is what its price is judged by."""
        if self.carried and self._fresh:
            self.carried[-1] = replace(self.carried[-1], told=body)

    def _write_down(self, step: str, heard: Heard, answer: Answer) -> None:
        status, body = answer[0], answer[1]
        self.answers.append((heard, status, body))
        self._fresh = False
        if step not in WRITES or status in (401, 403, 429):
            return
        client_ref = self.our_reference(heard) if step in self.named else ""
        self.asked.append(("book" if step in NAMED else step, client_ref))
        if 200 <= status < 300:
            try:
                reference = self.their_reference(step, heard, body)
            except (LookupError, TypeError):
                return
            self.carried.append(Carried(step, client_ref, reference, copy.deepcopy(body)))
            self._fresh = True

    def ask(self, method: str, path: str, **query: str) -> tuple[int, Any]:
        """What the stand-in answers, asked directly with the credentials of the last request."""
        assert self._credentials is not None, "nobody has asked yet"
        with self.stub.lock:
            heard = replace(self._credentials, method=method, path=path, query=query, body=b"")
            status, body, *_ = self.stub._answer(heard)
            return status, body

    def made(self, step: str = "book") -> list[Carried]:
        return [one for one in self.carried if one.step == step]


def _pattern(text: str) -> tuple[str, re.Pattern[str], dict[str, str]]:
    method, _, address = text.partition(" ")
    path, _, query = address.partition("?")
    escaped = re.escape(path).replace(r"\*\*", ".+").replace(r"\*", "[^/]+")
    return method, re.compile(escaped), dict(part.split("=") for part in query.split("&") if part)
