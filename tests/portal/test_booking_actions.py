"""What is done on the page of a booking: cancelling, sending its events again, erasing travellers, sandbox events."""

import re

import pytest

from apps.accounts.models import Account, AccountAuditEntry, Membership
from apps.bookings.flow.members import new_key
from apps.bookings.flow.polling import poll_at_once
from apps.bookings.models import Booking
from apps.common import clock
from apps.esim.models import RefundRequest, RefundStatus
from apps.esim.services.refunds import end_request
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import balance_of
from apps.suppliers.models import SimulatedWrite
from apps.webhooks.models import Delivery
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import Person
from tests.portal.reading import text_of
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/bookings/"


def form_of(answer, action: str = "cancel") -> dict[str, str]:
    """What the button with the price sends."""
    html = answer.content.decode()
    form = html[html.index(f'/{action}/"') :]
    form = form[: form.index("</form>")]
    return dict(re.findall(r'name="(key|cents)" value="([^"]*)"', form))


def available(account) -> int:
    return balance_of(account.pk, "test").available_cents


def test_it_is_cancelled_for_the_cost_that_was_shown_and_once(portal, account, api):
    order = FlightShop(api).ordered()
    page, before = f"{LIST}{order['id']}/", available(account)
    assert "Cancel (fee" not in text_of(portal.get(page)), "Its cost is shown first"
    shown = portal.post(page)
    form = form_of(shown)
    penalty = order["conditions"]["penaltyCents"]
    assert form["cents"] == str(penalty)
    assert f"Cancel (fee {penalty / 100:,.2f} EUR" in text_of(shown).replace("\u00a0", " ")
    answers = [portal.post(f"{page}cancel/", form, follow=True) for _ in range(2)]
    assert ["The booking is cancelled." in text_of(answer) for answer in answers] == [True, True]
    assert available(account) - before == order["totalCents"] - penalty
    assert LedgerTransaction.objects.filter(type="refund").count() == 1
    text = text_of(portal.get(page))
    assert "Requested in the portal: cancellation" in text
    assert "Cancel (fee" not in text
    trail = text_of(portal.get("/portal/audit/"))
    assert f"requested the cancellation of the booking {order['reference']} for at most" in trail


@pytest.mark.parametrize("product", ["hotel_booking", "transfer_order"])
def test_the_other_products_are_cancelled_as_the_api_does_it(portal, account, api, product):
    booking = getattr(Goods(api), product)
    page = f"{LIST}{booking['id']}/"
    form = form_of(portal.post(page))
    before = available(account)
    assert "The booking is cancelled." in text_of(portal.post(f"{page}cancel/", form, follow=True))
    cancellation = Booking.objects.get().cancellation
    assert cancellation["penaltyCents"] == int(form["cents"])
    assert available(account) - before == cancellation["refundCents"]


def test_more_than_was_shown_cancels_nothing(portal, account, api):
    order = FlightShop(api).ordered()
    page = f"{LIST}{order['id']}/"
    before = available(account)
    low = form_of(portal.post(page)) | {"cents": "1"}
    answer = text_of(portal.post(f"{page}cancel/", low, follow=True)).replace("\u00a0", " ")
    assert "more than was shown. Nothing was cancelled." in answer
    assert (Booking.objects.get().status, available(account)) == ("ticketed", before)
    assert "Ask first what cancelling costs now." in text_of(
        portal.post(f"{page}cancel/", low | {"cents": "2"}, follow=True)
    ), "The key was used for another cost"


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"key": "mine-12345678", "cents": "9999999"},
        {"key": f"{new_key()}x", "cents": "9999999"},
        {"key": new_key(), "cents": "-1"},
        {"key": new_key(), "cents": "9" * 30},
        {"key": new_key(), "cents": "many"},
    ],
)
def test_a_form_that_is_none_of_ours_cancels_nothing(portal, api, form):
    order = FlightShop(api).ordered()
    answer = portal.post(f"{LIST}{order['id']}/cancel/", form, follow=True)
    assert "Ask first what cancelling costs now." in text_of(answer)
    assert Booking.objects.get().status == "ticketed"


def test_an_order_on_hold_is_paid_once_for_the_price_that_was_shown(portal, account, api):
    shop = FlightShop(api)
    order = shop.held()
    page, before = f"{LIST}{order['id']}/", available(account)
    shown = portal.get(page)
    assert "On hold and not paid. Pay by" in text_of(shown)
    form = form_of(shown, "pay")
    answers = [portal.post(f"{page}pay/", form, follow=True) for _ in range(2)]
    assert ["The order is paid:" in text_of(answer) for answer in answers] == [True, True]
    assert before - available(account) == order["totalCents"] == int(form["cents"])
    text = text_of(portal.get(page))
    assert ("Requested in the portal: payment" in text, "On hold and not paid" in text) == (True, False)
    assert f"requested the payment of the booking {order['reference']} at most" in text_of(
        portal.get("/portal/audit/")
    )


def test_an_order_on_hold_that_costs_more_than_was_shown_is_not_paid(portal, account, api):
    order = FlightShop(api).held()
    page, before = f"{LIST}{order['id']}/", available(account)
    low = form_of(portal.get(page), "pay") | {"cents": "1"}
    assert "The order is paid" not in text_of(portal.post(f"{page}pay/", low, follow=True))
    assert (Booking.objects.get().status, available(account)) == ("on_hold", before)


def test_a_refund_into_the_airlines_credit_has_to_be_accepted(portal, account, api):
    shop = FlightShop(api)
    route = {"origin": "LTN", "destination": "SYD"}  # its airline refunds into credit
    order = shop.ordered(next(one for one in shop.search(**route) if one["conditions"]["refundable"]))
    page, before = f"{LIST}{order['id']}/", available(account)
    shown = portal.post(page)
    assert "The travellers accept the airline’s credit" in text_of(shown)
    form = form_of(shown)
    refused = text_of(portal.post(f"{page}cancel/", form, follow=True))
    assert "tick that the travellers agree" in refused
    again = form_of(portal.post(page)) | {"credit": "on"}
    assert "The booking is cancelled." in text_of(portal.post(f"{page}cancel/", again, follow=True))
    assert available(account) == before
    assert "Airline credit" in text_of(portal.get(page))


def test_all_events_of_a_booking_are_sent_again(portal, account, api):
    EndpointFactory(account=account, events=["booking.confirmed", "booking.cancelled"])
    shop = FlightShop(api)
    order, other = shop.ordered(), shop.ordered()
    shop.cancel(order["id"])
    page = f"{LIST}{order['id']}/"
    ended = {"status": "EXHAUSTED", "next_attempt_at": None, "completed_at": clock.now()}
    assert Delivery.objects.update(**ended) == 3
    assert "Send all again" in text_of(portal.get(page))
    assert "2 sent now." in text_of(portal.post(f"{page}resend-events/", follow=True))
    due = Delivery.objects.filter(next_attempt_at__isnull=False).values_list("event__booking_id", flat=True)
    assert list(due) == [order["id"]] * 2
    assert "2 on the way already." in text_of(portal.post(f"{page}resend-events/", follow=True))
    Delivery.objects.update(**ended)
    assert Delivery.objects.filter(event__booking_id=other["id"]).count() == 1


@pytest.fixture
def shop(account: Account) -> FlightShop:
    return FlightShop(api_of_new_partner(account=account, cents=50_000_000))


@pytest.fixture
def ended(shop: FlightShop) -> Booking:
    """A cancelled order, of which nothing is open."""
    order = shop.ordered()
    assert shop.cancel(order["id"]).status == 200
    return Booking.objects.get(pk=order["id"])


def page(booking: Booking) -> str:
    return f"/portal/test/bookings/{booking.pk}/"


def test_an_owner_erases_after_a_question(portal: Person, ended: Booking) -> None:
    booking = ended
    shown = portal.get(page(booking)).content.decode()
    assert "Ada Lovelace" in shown
    assert f"{page(booking)}erase/" in shown
    question = portal.get(f"{page(booking)}erase/").content.decode()
    assert "Erase the travellers?" in question
    assert Booking.objects.get().erased_at is None

    portal.post(f"{page(booking)}erase/", {})
    shown = portal.get(page(booking)).content.decode()
    assert "The travellers are erased." in shown
    assert "Lovelace" not in shown
    assert f"{page(booking)}erase/" not in shown
    entry = AccountAuditEntry.objects.get(action="bookings.travellers_erased")
    assert entry.actor == Membership.objects.get(role="owner").user
    trail = portal.get("/portal/audit/").content.decode()
    assert "erased the travellers of" in trail
    assert booking.reference in trail


@pytest.fixture
def goods(account) -> Goods:
    return Goods(api_of_new_partner(account=account, cents=50_000_000))


def page_of(booking) -> str:
    return f"/portal/test/bookings/{booking['id']}/"


def buttons(portal, booking) -> list[str]:
    return re.findall(r'name="what" value="(\w+)"', portal.get(page_of(booking)).content.decode())


def test_each_booking_has_the_buttons_of_its_product_and_state(portal, goods: Goods):
    assert buttons(portal, goods.hotel_booking) == ["supplier_cancels", "supplier_changes"]
    assert buttons(portal, goods.flight_order) == ["supplier_cancels", "airline_moves"]
    assert buttons(portal, goods.transfer_order) == ["supplier_cancels", "supplier_changes", "settles"]
    assert buttons(portal, goods.esim_order) == ["supplier_cancels"]
    pending = goods.call("createHotelBooking", X_Partner_Customer_Ref="sbx_pending").body
    assert buttons(portal, pending) == ["settles", "not_made"]


def test_a_button_lets_it_happen_and_says_so(portal, goods: Goods):
    booking = goods.hotel_booking

    answer = portal.post(f"{page_of(booking)}simulate/", {"what": "supplier_cancels"}, follow=True)

    assert "The supplier has cancelled it." in answer.content.decode()
    assert Booking.objects.get(pk=booking["id"]).status == "cancelled"
    assert buttons(portal, booking) == []


def test_live_bookings_have_none(portal, account):
    live = Goods(api_of_new_partner(account=account, cents=50_000_000, environment="live"))
    page = f"/portal/live/bookings/{live.hotel_booking['id']}/"

    assert 'name="what"' not in portal.get(page).content.decode()
    assert portal.post(f"{page}simulate/", {"what": "supplier_cancels"}).status_code == 404
    assert Booking.objects.get().status == "confirmed"


def test_an_order_on_hold_is_listed_and_cancelled_for_nothing(portal, account, api):
    order = FlightShop(api).held()
    page, before = f"{LIST}{order['id']}/", available(account)
    assert order["reference"] in text_of(portal.get(f"{LIST}?status=on_hold"))
    assert "On hold" in text_of(portal.get(page))
    form = form_of(portal.post(page))
    assert form["cents"] == "0"
    assert "The booking is cancelled." in text_of(portal.post(f"{page}cancel/", form, follow=True))
    assert (available(account), Booking.objects.get().status) == (before, "cancelled")


def test_a_payment_is_in_the_history_of_its_order(portal, api):
    order = FlightShop(api).held()
    assert FlightShop(api).pay(order).status == 200
    text = text_of(portal.get(f"{LIST}{order['id']}/"))
    assert all(
        line in text
        for line in ("Request received", "Request received: payment", "Sent to supplier: payment")
    )


def correction_form(answer) -> dict[str, str]:
    html = answer.content.decode()
    form = html[html.index('/correct-guest/"') :]
    form = form[: form.index("</form>")]
    return dict(re.findall(r'name="(key|first_name|last_name)"[^>]* value="([^"]*)"', form))


def test_a_guests_name_is_asked_for_once_and_the_page_says_what_becomes_of_it(portal, goods: Goods):
    booking = goods.hotel_booking
    page = page_of(booking)
    form = correction_form(portal.get(page))
    assert (form["first_name"], form["last_name"]) == ("Ada", "Lovelace")
    wanted = form | {"last_name": "Byron"}
    answers = [portal.post(f"{page}correct-guest/", wanted, follow=True) for _ in range(2)]
    assert ["The correction is requested" in text_of(answer) for answer in answers] == [True, True]
    assert SimulatedWrite.objects.filter(kind="correct").count() == 1
    text = text_of(portal.get(page))
    assert all(
        words in text for words in ("Ada Byron", "With the supplier", "Requested in the portal: correction")
    )
    assert "Ask for this name" not in text
    other = portal.post(f"{page}correct-guest/", wanted | {"last_name": "King"}, follow=True)
    assert "Nothing was requested." in text_of(other), "The key was used for another name"
    poll_at_once(Booking.objects.get(pk=booking["id"]))
    text = text_of(portal.get(page))
    assert all(words in text for words in ("Corrected", "Ada Byron, Anne Lovelace", "Ask for this name"))
    trail = text_of(portal.get("/portal/audit/"))
    assert f"requested a correction of the lead guest's name of the booking {booking['reference']}" in trail
    entry = AccountAuditEntry.objects.get(action="bookings.guest_corrected")
    assert "Byron" not in str(entry.details)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "That is the name that the booking has."),
        ({"first_name": "7"}, "The first name is not valid: must have at least one letter"),
        ({"last_name": "By\u202eron"}, "The last name is not valid: must have printable characters only"),
        ({"last_name": ""}, "The last name is not valid:"),
        ({"last_name": "x" * 256}, "The last name is not valid:"),
        ({"key": "mine-12345678", "last_name": "Byron"}, "Nothing was requested."),
    ],
)
def test_a_name_that_cannot_be_is_not_asked_for(portal, goods: Goods, changes, said):
    page = page_of(goods.hotel_booking)
    form = correction_form(portal.get(page)) | changes
    assert said in text_of(portal.post(f"{page}correct-guest/", form, follow=True))
    assert SimulatedWrite.objects.filter(kind="correct").count() == 0


def test_only_hotel_bookings_that_stand_have_the_form(portal, goods: Goods):
    assert "Lead guest’s name" not in text_of(portal.get(page_of(goods.flight_order)))
    booking = goods.hotel_booking
    form = correction_form(portal.get(page_of(booking))) | {"last_name": "Byron"}
    goods.call("cancelHotelBooking")
    assert "Ask for this name" not in text_of(portal.get(page_of(booking)))
    answer = portal.post(f"{page_of(booking)}correct-guest/", form, follow=True)
    assert "The booking is cancelled." in text_of(answer)
    assert SimulatedWrite.objects.filter(kind="correct").count() == 0


def refund_form(answer) -> dict[str, str]:
    html = answer.content.decode()
    form = html[html.index('/refund-requests/"') :]
    form = form[: form.index("</form>")]
    return dict(re.findall(r'name="(key)"[^>]* value="([^"]*)"', form))


def test_a_refund_is_asked_for_once_and_the_page_says_what_becomes_of_it(portal, goods: Goods):
    order = goods.esim_order
    page = page_of(order)
    wanted = refund_form(portal.get(page)) | {"reason": "other", "notes": "Bought twice, by Ada"}
    answers = [portal.post(f"{page}refund-requests/", wanted, follow=True) for _ in range(2)]
    assert ["The refund is requested" in text_of(answer) for answer in answers] == [True, True]
    assert SimulatedWrite.objects.filter(kind="refund").count() == 1
    text = text_of(portal.get(page))
    assert all(
        words in text
        for words in ("With the supplier", "Bought twice, by Ada", "Requested in the portal: refund")
    )
    assert "Ask for a refund" not in text
    asked = RefundRequest.objects.get()
    end_request(
        booking_id=order["id"], client_ref=asked.client_ref, status=RefundStatus.GRANTED, amount_cents=100
    )
    text = text_of(portal.get(page))
    assert all(words in text for words in ("Granted", "1.00"))
    assert f"requested a refund of {order['reference']}" in text_of(portal.get("/portal/audit/"))
    entry = AccountAuditEntry.objects.get(action="bookings.refund_requested")
    assert "Ada" not in str(entry.details)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reason": "rain"}, "Nothing was requested."),
        ({"reason": "other"}, "The notes are not valid: is required"),
        ({"reason": "other", "notes": "x" * 256}, "The notes are not valid:"),
        ({"reason": "no_coverage", "key": "mine-12345678"}, "Nothing was requested."),
    ],
)
def test_a_refund_without_a_reason_is_not_asked_for(portal, goods: Goods, changes, said):
    page = page_of(goods.esim_order)
    form = refund_form(portal.get(page)) | changes
    assert said in text_of(portal.post(f"{page}refund-requests/", form, follow=True))
    assert SimulatedWrite.objects.filter(kind="refund").count() == 0


def test_only_esims_that_stand_have_the_form(portal, goods: Goods):
    assert "Ask for a refund" not in text_of(portal.get(page_of(goods.flight_order)))
    top_up = goods.make("createEsimTopUp")
    assert "Ask for a refund" not in text_of(portal.get(page_of(top_up)))
    assert "Ask for a refund" in text_of(portal.get(page_of(goods.esim_order)))
