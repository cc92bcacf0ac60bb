"""The pages on which one person proposes money and another one confirms it."""

import pytest

from apps.common.errors import InsufficientFunds
from apps.ledger.models import LedgerTransaction, StaffMovement, Wallet
from tests.factories.ledger import WalletFactory
from tests.ledger.lines import figures
from tests.support.back_office import Desk, faults_of, told

LIST = "/admin/ledger/staffmovement/"
RIGHTS = ("ledger.view_staffmovement", "ledger.view_wallet")


@pytest.fixture
def proposer(wallet: Wallet) -> Desk:
    return Desk(*RIGHTS, "ledger.add_staffmovement")


@pytest.fixture
def confirmer(wallet: Wallet) -> Desk:
    return Desk(*RIGHTS, "ledger.confirm_staffmovement")


def form(wallet: Wallet, /, **fields: object) -> dict[str, object]:
    return {
        "wallet": wallet.pk,
        "type": "top_up",
        "amount_cents": 2_500,
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
    movement = proposed(proposer, wallet, type="adjustment", amount_cents=-9_000)
    other = proposed(proposer, wallet, type="adjustment", amount_cents=-9_000)
    confirmer.decide(page_of(movement), "confirm")
    answer = confirmer.decide(page_of(other), "confirm")
    assert told(answer) == [InsufficientFunds.default_message]
    assert figures(wallet) == (1_000, 0)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"amount_cents": -1}, "A top-up is above zero, an adjustment not zero."),
        ({"type": "adjustment", "amount_cents": 0}, "A top-up is above zero, an adjustment not zero."),
        ({"type": "adjustment", "amount_cents": -10_001}, "Only 10000 are available; the rest is held."),
        ({"type": "capture"}, "Select a valid choice. capture is not one of the available choices."),
        ({"amount_cents": 10**40}, "Ensure this value is less than or equal to 1000000000000000."),
        ({"amount_cents": "1e3\x00"}, "Enter a whole number."),
        ({"wallet": "1 OR 1"}, "Select a valid choice. That choice is not one of the available choices."),
        ({"reason": "\x00"}, "Null characters are not allowed."),
        ({"evidence": ""}, "This field is required."),
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


def test_an_arrival_is_not_proposed_twice(proposer: Desk, wallet: Wallet) -> None:
    proposed(proposer, wallet)
    for other in (wallet, WalletFactory()):
        again = proposer.post(f"{LIST}add/", form(other))
        assert "This arrival was proposed or credited before." in again.content.decode()
    assert StaffMovement.objects.count() == 1


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


@pytest.mark.parametrize("id_", ["nobody", "mov_0", "_00", "x" * 300])
def test_an_id_that_is_none_leads_back(wallet: Wallet, id_: str) -> None:
    assert Desk().get(f"{LIST}{id_}/change/").status_code == 302
