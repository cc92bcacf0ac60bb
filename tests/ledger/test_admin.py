import pytest
from django.test import Client

from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.services.check_ledger import check_ledger
from apps.ledger.services.hold import hold
from apps.ledger.trace import Trace
from tests.factories.accounts import UserFactory
from tests.ledger.lines import figures

ADD = "/admin/ledger/ledgertransaction/add/"


@pytest.fixture
def staff(client: Client, wallet: Wallet) -> Client:
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def test_the_books_are_read_and_not_edited(staff: Client, wallet: Wallet, trace: Trace) -> None:
    hold_id = hold(
        account_id=wallet.account_id,
        environment="test",
        amount_cents=3_000,
        currency="EUR",
        reference="op-1",
        trace=trace,
    )
    held = LedgerTransaction.objects.get(type="hold")
    for model, pk in (("wallet", wallet.pk), ("ledgertransaction", held.pk), ("hold", hold_id)):
        page = f"/admin/ledger/{model}/"
        assert staff.get(page).status_code == 200
        assert staff.get(f"{page}{pk}/change/").status_code == 200
        assert staff.post(f"{page}{pk}/change/", {"amount_cents": 1}).status_code == 403
        assert staff.post(f"{page}{pk}/delete/", {"post": "yes"}).status_code == 403
    for model in ("wallet", "hold"):
        assert staff.get(f"/admin/ledger/{model}/add/").status_code == 403
    assert Hold.objects.get().amount_cents == 3_000


def test_a_transaction_is_shown_with_its_entries_and_found_by_reference(
    staff: Client, wallet: Wallet
) -> None:
    topped_up = LedgerTransaction.objects.get()
    page = staff.get(f"/admin/ledger/ledgertransaction/{topped_up.pk}/change/").content.decode()
    assert "funding -10000 EUR" in page
    listing = "/admin/ledger/ledgertransaction/?q="
    found, missed = (staff.get(listing + query) for query in (topped_up.reference, "nothing"))
    assert list(found.context["cl"].result_list) == [topped_up]
    assert list(missed.context["cl"].result_list) == []


@pytest.mark.parametrize(("type", "amount_cents"), [("top_up", 2_500), ("adjustment", -2_500)])
def test_staff_top_up_and_adjust_through_the_verbs(
    staff: Client, wallet: Wallet, type: str, amount_cents: int
) -> None:
    form = {
        "wallet": wallet.pk,
        "type": type,
        "amount_cents": amount_cents,
        "reference": "bank-1",
        "description": "Transfer of 18 November",
    }
    answer = staff.post(ADD, form)
    written = LedgerTransaction.objects.get(reference="bank-1")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/ledger/ledgertransaction/")
    assert (written.type, written.amount_cents, written.description) == (
        type,
        amount_cents,
        "Transfer of 18 November",
    )
    assert figures(wallet) == (10_000 + amount_cents, 0)
    assert check_ledger() == []
    again = staff.post(ADD, form)
    assert (again.status_code, LedgerTransaction.objects.count()) == (200, 2)


@pytest.mark.parametrize(
    ("type", "amount_cents", "error"),
    [
        ("top_up", -1, "A top-up is above zero, an adjustment not zero."),
        ("top_up", 0, "A top-up is above zero, an adjustment not zero."),
        ("adjustment", 0, "A top-up is above zero, an adjustment not zero."),
        ("adjustment", -10_001, "Only 10000 are available; the rest is held."),
        ("capture", 1, "Select a valid choice. capture is not one of the available choices."),
    ],
)
def test_the_form_refuses_what_the_verbs_would(
    staff: Client, wallet: Wallet, type: str, amount_cents: int, error: str
) -> None:
    answer = staff.post(
        ADD, {"wallet": wallet.pk, "type": type, "amount_cents": amount_cents, "reference": "bank-1"}
    )
    assert answer.status_code == 200
    assert error in answer.content.decode()
    assert figures(wallet) == (10_000, 0)


def test_staff_without_the_right_cannot_top_up(client: Client, wallet: Wallet) -> None:
    client.force_login(UserFactory(is_staff=True))
    assert client.get(ADD).status_code == 403
