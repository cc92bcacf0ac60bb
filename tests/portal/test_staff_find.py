"""The search of the back office: any id of any account, for staff with the right to see it, and written down."""

import pytest

from apps.accounts.models import Account, StaffLook
from apps.bookings.models import Booking, Operation
from apps.keys.models import ApiKey
from apps.ledger.models import Hold, LedgerTransaction
from apps.request_log.models import LoggedCall
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.services.endpoints import delete_endpoint
from tests.factories.accounts import MembershipFactory
from tests.factories.keys import issued_key
from tests.portal.sample_data import add_sample_data
from tests.support.back_office import Desk

pytestmark = pytest.mark.django_db
FIND = "/admin/find/"


@pytest.fixture
def names() -> dict[str, str]:
    """Of the sample data: what there is of each kind."""
    owner = MembershipFactory(account__name="Aurora Travel", user__email="ada@aurora.example")
    return add_sample_data(owner.account, owner.user)


def led_to(desk: Desk, text: str) -> str:
    answer = desk.get(FIND, {"q": text})
    assert answer.status_code == 302, (text, answer.content.decode())
    return str(answer["Location"])


def page(model: str, pk: object) -> str:
    return f"/admin/{model}/{pk}/change/"


def test_one_hit_leads_to_its_page_whatever_the_account(names: dict[str, str]) -> None:
    desk = Desk()
    account = Account.objects.get(name="Aurora Travel")
    call = LoggedCall.objects.get(request_id=names["request"])
    booking = Booking.objects.get(pk=names["booking"])
    Booking.objects.filter(pk=booking.pk).update(external_reference="PO 7/A", supplier_reference="SUP/99")
    delete_endpoint(endpoint=Endpoint.objects.get(pk=names["endpoint"]))
    key = ApiKey.objects.get(pk=names["key"])
    hold, step = Hold.objects.latest("id"), LedgerTransaction.objects.latest("id")
    operation = Operation.objects.filter(booking=booking).latest("id")
    Operation.objects.filter(pk=operation.pk).update(client_ref="F-OWN-1")
    named = {
        account.pk: page("accounts/account", account.pk),
        names["request"]: page("request_log/loggedcall", call.pk),
        f'{{"requestId": "{names["request"]}"}}': page("request_log/loggedcall", call.pk),
        booking.pk: page("bookings/booking", booking.pk),
        booking.reference.lower(): page("bookings/booking", booking.pk),
        "PO 7/A": page("bookings/booking", booking.pk),
        "SUP/99": page("bookings/booking", booking.pk),
        key.pk: page("keys/apikey", key.pk),
        key.secrets.get().prefix: page("keys/apikey", key.pk),
        names["endpoint"]: page("webhooks/endpoint", names["endpoint"]),
        names["delivery"]: page("webhooks/delivery", names["delivery"]),
        hold.pk: page("ledger/hold", hold.pk),
        step.pk: page("ledger/ledgertransaction", step.pk),
        "F-OWN-1": page("bookings/operation", operation.pk),
    }
    found = {text: led_to(desk, text) for text in named}
    assert {text: address.replace("_5F", "_") for text, address in found.items()} == named
    assert {desk.get(address).status_code for address in found.values()} == {200}


def test_an_event_leads_to_its_page_and_from_there_to_its_deliveries(names: dict[str, str]) -> None:
    desk, delivery = Desk(), Delivery.objects.get(pk=names["delivery"])
    shown = desk.get(led_to(desk, delivery.event_id))
    assert f"/admin/webhooks/delivery/?q={delivery.event_id}" in shown.content.decode()
    assert delivery.pk in desk.get("/admin/webhooks/delivery/", {"q": delivery.event_id}).content.decode()


def test_nobody_finds_what_they_could_not_open(names: dict[str, str]) -> None:
    reader = Desk("accounts.view_account")
    assert "Nothing found" in reader.get(FIND, {"q": names["booking"]}).content.decode()
    assert led_to(Desk("bookings.view_booking"), names["booking"])
    member = Desk(everything=False)
    member.user.is_staff = False
    member.user.save()
    answer = member.get(FIND, {"q": names["booking"]})
    assert (
        answer.status_code,
        "/account/login/" in answer["Location"] or "/admin/" in answer["Location"],
    ) == (302, True)
    assert StaffLook.objects.filter(person=member.user).count() == 0


def test_every_search_is_written_down_without_its_secret(names: dict[str, str]) -> None:
    desk = Desk()
    _, secret = issued_key()
    desk.get(FIND, {"q": names["booking"]})
    desk.get(FIND, {"q": f"Bearer {secret} whsec_abcdefghijklmnop="})
    desk.get(FIND)
    looks = StaffLook.objects.filter(person=desk.user).order_by("id")
    kept = [(look.look, look.what, look.address) for look in looks]
    assert kept == [
        ("searched", names["booking"], "127.0.0.1"),
        ("searched", f"Bearer {secret[:13]}… whsec_abcd…", "127.0.0.1"),
    ]
    listed = desk.get("/admin/accounts/stafflook/").content.decode()
    assert names["booking"] in listed
