"""A partner whose live key sells through the connector under attack, and time that passes when told to."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.test import Client, override_settings

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.ledger.selectors import balance_of
from apps.onboarding.partners import Onboarded
from tests.suppliers.kit.bench import Bench, Carried
from tests.suppliers.kit.damage import Damage
from tests.suppliers.kit.shops import Offer, Shop
from tests.support.api import Reply
from tests.support.forgotten import forget_suppliers

OPEN = (OperationState.HELD, OperationState.CALLING, OperationState.UNCERTAIN)
BALANCE_CENTS = 10_000_000
MOST_LOOKS, LOOKS_EACH = 60, 15
UNAVAILABLE = (503, "upstream_unavailable")
REFUSED = {400, 404, 409, 410, 502, 503}
LONGEST_SECONDS = 60.0


@dataclass
class World:
    bench: Bench
    shop: Shop
    partner: Onboarded
    move_clock: Callable[..., None]
    replies: list[Reply] = field(default_factory=list)
    quoted: dict[str, int] = field(default_factory=dict)
    """What each key was told that its booking costs."""
    most: dict[str, int] = field(default_factory=dict)
    """What each key allows instead, where it does (maxTotalCents)."""
    crashes: list[str] = field(default_factory=list)
    """What broke in a way that no adapter may break, and was caught by somebody above it."""

    # --- what the partner does ------------------------------------------------------------------------------------

    def damage(self, step: str, damage: Damage) -> None:
        self.bench.expect(step, damage)

    def search(self) -> Reply:
        return self._kept(self.shop.search())

    def offer(self) -> Offer:
        reply = self.search()
        assert reply.status in (200, 201), reply.body
        return self.shop.offers(reply)[0]

    def book(self, offer: Offer | None = None, key: str = "", **more: Any) -> Reply:
        """Without an offer, one that was just found."""
        offer, key = offer or self.offer(), key or f"kit-{uuid4().hex}"
        self.quoted[key] = offer.cents
        self.most[key] = more.get("maxTotalCents", offer.cents)
        return self._kept(self.shop.book(offer, key, **more))

    def booked(self) -> dict[str, Any]:
        """The body of a booking that stands."""
        reply = self.book()
        assert (reply.status, reply.body.get("status")) == (201, self.shop.standing), reply.body
        return dict(reply.body)

    def lose_booking(self, key: str = "") -> Offer:
        """A booking that is carried out, and whose answer is lost."""
        offer = self.offer()
        self.damage("book", Damage(end="reset"))
        self.must_be_unknown(self.book(offer, key))
        return offer

    def read(self, booking_id: str) -> dict[str, Any]:
        reply = self._kept(self.shop.read(booking_id))
        assert reply.status == 200, reply.body
        return dict(reply.body)

    def cancel(self, booking: Mapping[str, Any], key: str = "") -> Reply:
        return self._kept(self.shop.cancel(booking["id"], key or f"kit-{uuid4().hex}"))

    def _kept(self, reply: Reply) -> Reply:
        self.replies.append(reply)
        return reply

    # --- what becomes of it ----------------------------------------------------------------------------------------

    def pass_time(self, seconds: float) -> None:
        """Here and at the supplier. Breakers are closed again: those go by the clock on the wall."""
        self.move_clock(seconds=seconds)
        self.bench.pass_time(seconds)
        forget_suppliers()

    def later(self) -> None:
        """Let the hours pass that look-ups take, until nothing is open, or a day is over; then settle what is owed."""
        several = Operation.objects.filter(state__in=OPEN).count()
        for _ in range(MOST_LOOKS + LOOKS_EACH * several):
            due = Operation.objects.filter(state__in=OPEN).order_by("next_attempt_at").first()
            if due is None:
                break
            assert due.next_attempt_at is not None
            due_at = max(due.next_attempt_at, due.lease_until)
            self.pass_time(max(0.0, (due_at - clock.now()).total_seconds()) + 1)
            recover_due(batch=100)
        settle_owed()

    def look(self) -> None:
        """The next look-up alone."""
        due = Operation.objects.filter(state__in=OPEN).order_by("next_attempt_at").first()
        assert due is not None, "nothing is open"
        assert due.next_attempt_at is not None
        due_at = max(due.next_attempt_at, due.lease_until)
        self.pass_time(max(0.0, (due_at - clock.now()).total_seconds()) + 1)
        assert recover_due(batch=100) >= 1

    def poll(self) -> int:
        """As the worker does, a day later. How many bookings were found to have ended."""
        self.pass_time(86_401)
        return poll_suppliers()

    def send_webhook(self, made: Carried) -> int:
        """The status that we answered; 0 where this supplier sends none."""
        event = self.bench.webhook(made)
        if event is None:
            return 0
        body, headers = event
        answer = Client(raise_request_exception=False).post(
            f"/suppliers/{self.bench.vendor}/webhooks", body, content_type="application/json", headers=headers
        )
        return answer.status_code

    @contextmanager
    def relocated(self, origin: str) -> Iterator[None]:
        """For the length of the block the supplier is to be found there."""
        here = urlsplit(self.bench.stub.url)
        old = f"{here.scheme}://{here.netloc}"
        moved = {
            name: value.replace(old, origin) if isinstance(value, str) else value
            for name, value in self.bench.credentials().items()
        }
        every = {**settings.SUPPLIER_CREDENTIALS, self.bench.vendor: moved}
        with override_settings(SUPPLIER_CREDENTIALS=every):
            yield

    def follow_webhooks(self) -> int:
        return follow_hints()

    # --- what stands -----------------------------------------------------------------------------------------------

    def money(self) -> tuple[int, int]:
        """Available and held."""
        balance = balance_of(self.partner.account.id, "live")
        return balance.available_cents, balance.held_cents

    def booking(self) -> Booking:
        """The only one."""
        return Booking.objects.get()

    def must_be_unknown(self, reply: Reply) -> None:
        """503, the booking pending and its whole price held."""
        assert (reply.status, reply.error_type) == UNAVAILABLE, reply.body
        operation = Operation.objects.select_related("booking").get(kind="book")
        assert (operation.state, operation.booking.status) == ("uncertain", "pending")
        held = operation.amount_cents
        assert held > 0
        assert self.money() == (BALANCE_CENTS - held, held)

    def must_be_refused(self, reply: Reply) -> None:
        """A clean refusal, with nothing booked and nothing held."""
        assert reply.status in REFUSED, reply.body
        assert self.money() == (BALANCE_CENTS, 0)
        assert self.bench.made() == []

    def must_stand(self) -> None:
        assert self.booking().status == self.shop.standing

    def must_be_gone(self) -> None:
        assert self.booking().status == Booking.FAILED
        assert self.money() == (BALANCE_CENTS, 0)


def wait_until(happened: Callable[[], bool]) -> None:
    """Who gives up early may be back before the stand-in has heard the request."""
    gives_up = time.monotonic() + LONGEST_SECONDS
    while not happened():
        assert time.monotonic() < gives_up, "the stand-in was not asked"
        time.sleep(0.005)
