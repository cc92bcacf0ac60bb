"""Other dates for a hotel booking: the options with their price, and the button that takes one."""

import re
from datetime import date, timedelta

import pytest

from apps.bookings.models import Booking, Operation
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import balance_of
from tests.contract.goods import Goods
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
LIST = "/portal/test/bookings/"


def page_of(booking) -> str:
    return f"{LIST}{booking['id']}/change/"


def dates(booking, nights: int) -> dict[str, str]:
    """As many nights more or fewer than were booked."""
    leaves = date.fromisoformat(booking["checkOut"]) + timedelta(days=nights)
    return {"check_in": booking["checkIn"], "check_out": leaves.isoformat()}


def forms_of(answer) -> list[dict[str, str]]:
    """What the button of each option sends."""
    parts = answer.content.decode().split("/change/confirm/")[1:]
    return [
        dict(re.findall(r'name="(key|change_id|cents)" value="([^"]*)"', part.split("</form>")[0]))
        for part in parts
    ]


def balance(account):
    found = balance_of(account.pk, "test")
    return found.available_cents, found.held_cents


def test_a_night_more_is_shown_with_its_price_and_bought_once(portal, account, api):
    booking = Goods(api).hotel_booking
    assert "Change the stay" in text_of(portal.get(f"{LIST}{booking['id']}/"))
    shown = portal.post(page_of(booking), dates(booking, 1))
    before = balance(account)
    forms = forms_of(shown)
    option = shown.context["options"][0]
    assert (Operation.objects.filter(kind="change").count(), len(forms)) == (0, len(shown.context["options"]))
    assert f"{option.difference_cents / 100:,.2f} EUR more" in text_of(shown).replace("\u00a0", " ")
    answers = [portal.post(f"{page_of(booking)}confirm/", forms[0], follow=True) for _ in range(2)]
    assert ["The stay is now from" in text_of(answer) for answer in answers] == [True, True]
    after = Booking.objects.get()
    assert after.total_cents == int(forms[0]["cents"]) == booking["totalCents"] + option.difference_cents
    assert balance(account) == (before[0] - option.difference_cents, 0)
    assert LedgerTransaction.objects.filter(type="capture").count() == 2
    trail = text_of(portal.get("/portal/audit/"))
    assert f"requested a change of the booking {booking['reference']} at most" in trail


def test_fewer_nights_say_what_comes_back(portal, api):
    booking = Goods(api).hotel_booking
    longer = portal.post(page_of(booking), dates(booking, 1))
    place = next(at for at, option in enumerate(longer.context["options"]) if option.rate.refundable)
    portal.post(f"{page_of(booking)}confirm/", forms_of(longer)[place], follow=True)
    shown = text_of(portal.post(page_of(booking), dates(booking, 0))).replace("\u00a0", " ")
    assert "EUR back" in shown


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"check_out": "2020-01-01"}, "must be"),
        ({"check_in": "2020-01-01"}, "must"),
        ({"check_out": "soon"}, "Enter a valid date."),
        ({}, "must differ from what is booked"),
    ],
)
def test_dates_that_cannot_be_are_refused_at_their_field(portal, api, given, said):
    booking = Goods(api).hotel_booking
    answer = portal.post(page_of(booking), dates(booking, 0) | given)
    assert (answer.status_code, said in text_of(answer)) == (400, True)
    assert Operation.objects.filter(kind="change").count() == 0


def test_a_price_below_the_one_shown_changes_nothing(portal, account, api):
    booking = Goods(api).hotel_booking
    form = forms_of(portal.post(page_of(booking), dates(booking, 1)))[0] | {"cents": "1"}
    before = balance(account)
    answer = text_of(portal.post(f"{page_of(booking)}confirm/", form, follow=True)).replace("\u00a0", " ")
    assert "Nothing was changed; ask for the options again." in answer
    assert (Booking.objects.get().total_cents, balance(account)) == (booking["totalCents"], before)
    other = portal.post(f"{page_of(booking)}confirm/", form | {"key": "mine", "cents": "1"}, follow=True)
    assert "Nothing was changed." in text_of(other)


@pytest.mark.parametrize("product", ["flight_order", "esim_order"])
def test_other_products_have_no_such_page(portal, api, product):
    booking = getattr(Goods(api), product)
    assert "Change the stay" not in text_of(portal.get(f"{LIST}{booking['id']}/"))
    for answer in (portal.get(page_of(booking)), portal.post(page_of(booking), {"check_in": "x"})):
        assert answer.status_code in {302, 400}
    assert Operation.objects.filter(kind="change").count() == 0


def test_a_cancelled_stay_cannot_be_changed(portal, api):
    goods = Goods(api)
    form = forms_of(portal.post(page_of(goods.hotel_booking), dates(goods.hotel_booking, 1)))[0]
    goods.call("cancelHotelBooking")
    assert portal.get(page_of(goods.hotel_booking)).status_code == 302
    answer = portal.post(f"{page_of(goods.hotel_booking)}confirm/", form, follow=True)
    assert "The booking is cancelled" in text_of(answer)


def test_finance_sees_the_price_and_cannot_take_it(portal_as, account, api):
    booking = Goods(api).hotel_booking
    finance = portal_as("finance")
    shown = finance.post(page_of(booking), dates(booking, 1))
    assert "Owners and developers can change it." in text_of(shown)
    refused = finance.post(f"{page_of(booking)}confirm/", {})
    assert refused.status_code == 403
