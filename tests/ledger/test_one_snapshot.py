"""Sums beside the lines they are the sums of: both as of one instant, whatever moves while they are read."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from apps.account_api import views as account_views
from apps.common.sql import one_snapshot
from apps.ledger.models import LedgerTransaction, Wallet
from apps.ledger.money import Trace, hold, top_up
from apps.ledger.selectors import balance_of
from apps.portal import balance as balance_views
from tests.factories.accounts import UserFactory
from tests.factories.gateway import api_of_new_partner
from tests.portal.person import member_of

pytestmark = pytest.mark.django_db(transaction=True)


def elsewhere(move: Callable[[], object]) -> None:
    """Commit it on a connection of its own."""

    def run() -> None:
        try:
            move()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


def both_ways(wallet: Wallet) -> None:
    """A top-up and a hold: the available and the held sum change."""
    for_ = {"account_id": wallet.account_id, "environment": wallet.environment, "currency": wallet.currency}
    top_up(**for_, amount_cents=500, reference="arrival")
    hold(**for_, amount_cents=200, reference="op", trace=Trace(booking_type="hotel", booking_reference="H-1"))


def moved_before(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wallet: Wallet) -> None:
    """Money moves elsewhere between the two reads: just before `name`, the second of them."""
    read = getattr(module, name)

    def reading(*args: Any, **kwargs: Any) -> Any:
        elsewhere(lambda: both_ways(wallet))
        return read(*args, **kwargs)

    monkeypatch.setattr(module, name, reading)


def test_the_sums_of_the_ledger_are_those_after_its_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    api = api_of_new_partner(cents=1_000)
    wallet = Wallet.objects.get()
    moved_before(monkeypatch, account_views, "page", wallet)
    answer = api.get("/v1/account/ledger").body
    newest = answer["data"][0]
    assert (newest["availableAfterCents"], newest["heldAfterCents"]) == (
        answer["availableCents"],
        answer["heldCents"],
    )
    assert len(answer["data"]) == 1
    assert LedgerTransaction.objects.count() == 3, "It moved meanwhile"


def test_an_empty_ledger_stands_beside_empty_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    api = api_of_new_partner()
    account_id = api.get("/v1/account").body["id"]
    wallet = Wallet.objects.create(account_id=account_id, environment="test", currency="EUR")
    moved_before(monkeypatch, account_views, "page", wallet)
    answer = api.get("/v1/account/ledger").body
    assert (answer["availableCents"], answer["heldCents"], answer["data"]) == (0, 0, [])


def test_so_are_those_of_the_portal(monkeypatch: pytest.MonkeyPatch) -> None:
    api_of_new_partner(cents=1_000)
    wallet = Wallet.objects.get()
    portal = member_of(wallet.account, "owner")
    moved_before(monkeypatch, balance_views, "outlook_of", wallet)
    shown = portal.get("/portal/test/balance/").context
    (newest, *_) = shown["page"].rows
    assert (newest.available_after_cents, newest.held_after_cents) == (
        shown["balance"].available_cents,
        shown["balance"].held_cents,
    )
    assert re.search(r"now ([\d.,]+) and", str(shown["chart"])).group(1) == "10.00"  # type: ignore[union-attr]


def test_nothing_is_written_within_a_snapshot() -> None:
    with pytest.raises(DatabaseError, match="read-only transaction"), one_snapshot():
        UserFactory()
    UserFactory()


def test_a_snapshot_within_a_transaction_is_that_ones_own() -> None:
    api_of_new_partner(cents=1_000)
    wallet = Wallet.objects.get()
    with transaction.atomic():
        UserFactory()
        with one_snapshot():
            assert balance_of(wallet.account_id, "test").available_cents == 1_000
        UserFactory()
