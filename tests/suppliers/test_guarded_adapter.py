"""The steps that every call to a supplier passes, and their order."""

from datetime import date
from decimal import Decimal

import pytest

from apps.suppliers import registry
from apps.suppliers.currency import Exchange
from apps.suppliers.errors import PriceChanged, Rejected
from apps.suppliers.registry import GuardedAdapter, InsideTransaction, fault_named

HALF = Exchange("USD", "EUR", Decimal("0.5"), date(2026, 11, 20))


class Acme:
    name = "acme"

    def __init__(self) -> None:
        self.asked = 0

    def ask(self) -> str:
        self.asked += 1
        return "answer"

    def refuse(self) -> None:
        raise PriceChanged(300)


@pytest.fixture
def in_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise InsideTransaction

    monkeypatch.setattr(registry, "refuse_inside_transaction", refuse)


def test_methods_are_the_adapters_own_and_so_are_its_attributes() -> None:
    acme = Acme()
    guarded = GuardedAdapter(acme)
    assert (guarded.ask(), guarded.name, acme.asked) == ("answer", "acme", 1)
    with pytest.raises(AttributeError):
        guarded.unknown  # noqa: B018


def test_nothing_is_asked_inside_a_transaction_not_even_for_a_fault(in_transaction: None) -> None:
    acme = Acme()
    with pytest.raises(InsideTransaction):
        GuardedAdapter(acme, fault=fault_named("supplier_error")).ask()
    assert GuardedAdapter(acme).name == "acme"
    assert acme.asked == 0


def test_a_fault_comes_before_the_call() -> None:
    acme = Acme()
    with pytest.raises(Rejected):
        GuardedAdapter(acme, fault=fault_named("supplier_error"), exchange=HALF).ask()
    assert acme.asked == 0


def test_a_changed_price_is_told_in_the_accounts_currency() -> None:
    with pytest.raises(PriceChanged) as changed:
        GuardedAdapter(Acme(), exchange=HALF).refuse()
    assert changed.value.current_cents == 150
    with pytest.raises(PriceChanged) as changed:
        GuardedAdapter(Acme()).refuse()
    assert changed.value.current_cents == 300
