"""The reference on a bank transfer: the same for ever, its mistakes noticed, and the account found by it."""

import pytest

from apps.accounts.models import Account
from apps.accounts.payment_reference import (
    ALPHABET,
    accounts_with,
    in_groups,
    is_right,
    payment_reference,
    read,
)
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db


def test_a_reference_is_the_same_for_ever_and_valid_by_the_standard() -> None:
    assert payment_reference("acc_01kb2c8x7h9g0000000000000a") == "RF85Z7T2J9YW"
    assert in_groups("RF85Z7T2J9YW") == "RF85 Z7T2 J9YW"
    # The example of ISO 11649.
    assert (is_right("RF18539007547034"), is_right("RF18539007547035")) == (True, False)


def test_a_wrong_letter_and_a_wrong_digit_are_noticed() -> None:
    right = payment_reference("acc_01kb2c8x7h9g0000000000000a")
    wrong = [
        right[:at] + other + right[at + 1 :]
        for at in range(4, len(right))
        for other in ALPHABET
        if other != right[at] and other.isdigit() == right[at].isdigit()
    ]
    assert len(wrong) > 80
    assert not any(is_right(each) for each in wrong)


def test_an_account_is_found_by_its_reference_as_people_write_it() -> None:
    account = AccountFactory()
    AccountFactory()
    Account.objects.create(name="A sandbox", currency="EUR", sandbox_of=account)
    reference = payment_reference(account.pk)
    for written in (reference, in_groups(reference).lower(), f" {in_groups(reference)}\n".replace(" ", "-")):
        assert accounts_with(written) == [account.pk], written
    for written in ("", account.pk, f"RF00{reference[4:]}", reference[:-1], payment_reference("acc_other")):
        assert accounts_with(written) == []
    assert (read("RF85 Z7T2 J9YI"), read("x" * 10_000)) == ("", "")


def test_partners_and_staff_see_the_same_reference() -> None:
    api = api_of_new_partner()
    account_id = partner_of(api).account_id
    reference = payment_reference(account_id)
    assert api.get("/v1/account").body["paymentReference"] == reference
    desk, written = Desk(), in_groups(reference)
    assert written in desk.get(f"/admin/accounts/account/{account_id}/change/").content.decode()
    assert (
        desk.get("/admin/find/", {"q": written})["Location"]
        == f"/admin/accounts/account/{account_id}/change/"
    )
    AccountFactory(name="Someone else")
    listed = desk.get("/admin/accounts/account/", {"q": written}).content.decode()
    assert account_id in listed
    assert "Someone else" not in listed
