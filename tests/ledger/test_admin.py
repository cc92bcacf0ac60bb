import pytest
from django.test import Client

from apps.ledger.models import Hold, LedgerTransaction, Wallet
from apps.ledger.money import Trace, hold
from tests.factories.accounts import UserFactory
from tests.support.back_office import faults_of

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
    assert "funding -100.00 EUR" in page
    listing = "/admin/ledger/ledgertransaction/?q="
    found, missed = (staff.get(listing + query) for query in (topped_up.reference, "nothing"))
    assert list(found.context["cl"].result_list) == [topped_up]
    assert list(missed.context["cl"].result_list) == []


def test_amounts_are_shown_in_units(staff: Client, wallet: Wallet) -> None:
    step = LedgerTransaction.objects.get()
    pages = [
        "wallet/",
        f"wallet/{wallet.pk}/change/",
        "ledgertransaction/",
        f"ledgertransaction/{step.pk}/change/",
    ]
    for page in pages:
        html = staff.get(f"/admin/ledger/{page}").content.decode()
        assert "100.00 EUR" in html, page
        assert "10000" not in html, page


def test_every_page_is_lean_and_obeys_the_policy(staff: Client, wallet: Wallet, trace: Trace) -> None:
    for number in range(30):
        hold(
            account_id=wallet.account_id,
            environment="test",
            amount_cents=1,
            currency="EUR",
            reference=f"op-{number}",
            trace=trace,
        )
    step, held = LedgerTransaction.objects.latest("id"), Hold.objects.latest("id")
    pages = [
        "wallet/",
        f"wallet/{wallet.pk}/change/",
        "ledgertransaction/",
        "hold/",
        f"hold/{held.pk}/change/",
    ]
    pages += [f"ledgertransaction/{step.pk}/change/", "ledgertransaction/?environment__exact=test&p=1"]
    assert [fault for page in pages for fault in faults_of(staff, f"/admin/ledger/{page}")] == []


def test_no_step_is_added_by_one_person_alone(staff: Client) -> None:
    assert staff.get(ADD).status_code == 403
    assert staff.post(ADD, {"type": "top_up", "amount_cents": 1}).status_code == 403
