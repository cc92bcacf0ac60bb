"""The pages on which one person proposes money and another one confirms it."""

import pytest
from django.contrib.admin.models import LogEntry

from apps.common.errors import InsufficientFunds
from apps.ledger.models import LedgerTransaction, StaffMovement, Wallet
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures
from tests.support.back_office import Desk, faults_of, told

LIST = "/admin/ledger/staffmovement/"
RIGHTS = ("ledger.view_staffmovement", "ledger.view_wallet")


@pytest.fixture
def wallet(db: None) -> Wallet:
    return WalletFactory(environment="live", cents=10_000)


@pytest.fixture
def proposer(wallet: Wallet) -> Desk:
    return Desk(*RIGHTS, "ledger.add_staffmovement")


@pytest.fixture
def confirmer(wallet: Wallet) -> Desk:
    return Desk(*RIGHTS, "ledger.confirm_staffmovement")


def form(wallet: Wallet, /, **fields: object) -> dict[str, object]:
    return {
        "account": wallet.account_id,
        "environment": wallet.environment,
        "type": "top_up",
        "amount": "25.00",
        "evidence": "bank-1",
        "reason": "Transfer of 18 November",
        "description": "Thank you",
        **fields,
    }


def proposed(desk: Desk, wallet: Wallet, **fields: object) -> StaffMovement:
    answer = desk.post(f"{LIST}add/", form(wallet, **fields))
    assert (answer.status_code, answer.headers["Location"]) == (302, LIST)
    return StaffMovement.objects.latest("proposed_at")


def page_of(movement: StaffMovement) -> str:
    return f"{LIST}{movement.pk}/change/"


def test_one_proposes_and_another_confirms(proposer: Desk, confirmer: Desk, wallet: Wallet) -> None:
    movement = proposed(proposer, wallet)
    assert figures(wallet) == (10_000, 0)
    answer = confirmer.decide(page_of(movement), "confirm")
    assert told(answer) == ["25.00 EUR moved."]
    assert figures(wallet) == (12_500, 0)
    assert LedgerTransaction.objects.get(reference=movement.pk).description == "Thank you"


def test_the_proposer_is_offered_no_verdict_and_a_post_does_nothing(wallet: Wallet) -> None:
    desk = Desk()
    movement = proposed(desk, wallet)
    assert "verdict" not in desk.get(page_of(movement)).content.decode()
    answer = desk.decide(page_of(movement), "confirm")
    assert told(answer) == ["That cannot be decided any more, or not by you."]
    assert figures(wallet) == (10_000, 0)


def test_a_refusal_needs_a_reason_which_is_kept(proposer: Desk, confirmer: Desk, wallet: Wallet) -> None:
    movement = proposed(proposer, wallet)
    again = confirmer.decide(page_of(movement), "refuse", reason=" ")
    assert "This field is required." in again.content.decode()
    confirmer.decide(page_of(movement), "refuse", reason="No such transfer")
    movement.refresh_from_db()
    assert (movement.state, movement.refusal) == ("refused", "No such transfer")
    history = confirmer.get(f"{LIST}{movement.pk}/history/").content.decode()
    assert "No such transfer" in history


def test_what_the_wallet_no_longer_covers_is_told(proposer: Desk, confirmer: Desk, wallet: Wallet) -> None:
    movement = proposed(proposer, wallet, type="adjustment", amount="-90")
    other = proposed(proposer, wallet, type="adjustment", amount="-90")
    confirmer.decide(page_of(movement), "confirm")
    answer = confirmer.decide(page_of(other), "confirm")
    assert told(answer) == [InsufficientFunds.default_message]
    assert figures(wallet) == (1_000, 0)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"amount": "-1"}, "A top-up is above zero, an adjustment not zero."),
        ({"type": "adjustment", "amount": "0"}, "A top-up is above zero, an adjustment not zero."),
        ({"type": "adjustment", "amount": "-100.01"}, "Only 100.00 EUR is available; the rest is held."),
        ({"type": "capture"}, "Select a valid choice. capture is not one of the available choices."),
        ({"amount": "9" * 40}, "Ensure this value is less than or equal to 10000000000000.00."),
        ({"amount": "0.001"}, "Ensure that there are no more than 2 decimal places."),
        ({"amount": "150,000.00"}, "Write a number such as 150000.00, without commas or spaces."),
        ({"amount": "1e3\x00"}, "Null characters are not allowed."),
        ({"amount": "NaN"}, "Write a number such as 150000.00, without commas or spaces."),
        ({"amount": ""}, "This field is required."),
        ({"account": "1 OR 1"}, "There is no account with this id, payment reference or name."),
        ({"account": "rf86 Z7T2 J9YW"}, "The check digits of this payment reference do not match"),
        ({"account": "rf85 Z7T2 J9YW"}, "There is no account with this id, payment reference or name."),
        ({"account": "\x00"}, "Null characters are not allowed."),
        ({"environment": "both"}, "Select a valid choice. both is not one of the available choices."),
        ({"environment": "test"}, "has no test wallet."),
        ({"reason": "\x00"}, "Null characters are not allowed."),
        ({"evidence": ""}, "Live money needs it."),
    ],
    ids=str,
)
def test_the_form_refuses_what_the_service_would(
    proposer: Desk, wallet: Wallet, fields: dict[str, object], error: str
) -> None:
    answer = proposer.post(f"{LIST}add/", form(wallet, **fields))
    assert answer.status_code == 200
    assert error in answer.content.decode()
    assert not StaffMovement.objects.exists()


def test_an_amount_is_typed_and_shown_in_units_of_the_currency(proposer: Desk) -> None:
    typed = {"JPY": "150000", "KWD": "150000.125", "EUR": "150000"}
    for currency, amount in typed.items():
        wallet = WalletFactory(environment="live", cents=0, account__currency=currency, currency=currency)
        proposed(proposer, wallet, amount=amount, evidence=currency)
    html = proposer.get(LIST).content.decode()
    assert all(shown in html for shown in ("150,000 JPY", "150,000.125 KWD", "150,000.00 EUR"))
    history = LogEntry.objects.values_list("object_repr", flat=True)
    assert [text.partition(" to ")[0] for text in history.order_by("pk")] == [
        "top-up of 150,000 JPY",
        "top-up of 150,000.125 KWD",
        "top-up of 150,000.00 EUR",
    ]


def test_the_wallet_is_that_of_account_and_environment(proposer: Desk, wallet: Wallet) -> None:
    account = wallet.account
    test = WalletFactory(account=account, environment="test", cents=0)
    movement = proposed(proposer, wallet, account=account.name.upper())
    assert movement.wallet == wallet
    proposed(proposer, test, evidence="")
    assert figures(test) == (2_500, 0)
    AccountFactory(name=account.name)
    again = proposer.post(f"{LIST}add/", form(wallet, account=account.name, evidence="bank-2"))
    assert "Several accounts are called" in again.content.decode()


def test_an_account_without_a_live_wallet_has_none_to_fill(proposer: Desk) -> None:
    account = AccountFactory(name="Aurora")
    answer = proposer.post(f"{LIST}add/", {"account": account.pk, "environment": "live", "amount": "1"})
    assert "Aurora has no live wallet. The approval for live keys opens it." in answer.content.decode()


def test_test_money_is_moved_by_one_person(proposer: Desk) -> None:
    wallet = WalletFactory(environment="test", cents=10_000)
    page = f"{LIST}add/"
    answer = proposer.post(page, form(wallet, evidence="", amount="1234.56"), follow=True)
    assert told(answer) == [f"Top-up of 1,234.56 EUR for {wallet.account} moved."]
    assert figures(wallet) == (133_456, 0)
    movement = StaffMovement.objects.get()
    assert (movement.state, movement.decided_by, movement.is_test) == ("confirmed", proposer.user, True)
    proposer.post(page, form(wallet, type="adjustment", evidence="", amount="-4.56"))
    assert figures(wallet) == (133_000, 0)
    assert "verdict" not in Desk().get(page_of(movement)).content.decode()


def test_pages_ask_for_rights(proposer: Desk, confirmer: Desk, wallet: Wallet) -> None:
    page = page_of(proposed(proposer, wallet))
    nobody = Desk("ledger.view_hold")
    assert [nobody.get(path).status_code for path in (LIST, page, f"{LIST}add/")] == [403, 403, 403]
    assert nobody.post(page, {"verdict": "confirm"}).status_code == 403
    assert confirmer.get(f"{LIST}add/").status_code == 403
    assert proposer.post(f"{page[:-7]}delete/").status_code == 403
    assert StaffMovement.objects.get().state == "proposed"


def test_the_pages_are_lean_and_obey_the_policy(proposer: Desk, wallet: Wallet) -> None:
    page = page_of(proposed(proposer, wallet))
    desk = Desk()
    assert [fault for path in (LIST, page, f"{LIST}add/") for fault in faults_of(desk, path)] == []
