"""Cancelling from the page of a booking, and sending its events again."""

import re
from html import unescape

import pytest

from apps.accounts.terms import stop_sandbox
from apps.bookings.flow.cancel import new_key
from apps.bookings.models import Booking
from apps.common import clock
from apps.ledger.models import LedgerTransaction
from apps.ledger.selectors import balance_of
from apps.webhooks.models import Delivery
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.factories.webhooks import EndpointFactory
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/portal/test/bookings/"


@pytest.fixture
def api(account):
    return api_of_new_partner(account=account, cents=50_000_000)


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def form_of(answer) -> dict[str, str]:
    """What the button with the cost sends."""
    html = answer.content.decode()
    form = html[html.index('/cancel/"') :]
    form = form[: form.index("</form>")]
    return dict(re.findall(r'name="(key|penalty)" value="([^"]*)"', form))


def available(account) -> int:
    return balance_of(account.pk, "test").available_cents


def test_it_is_cancelled_for_the_cost_that_was_shown_and_once(portal, account, api):
    order = FlightShop(api).ordered()
    page, before = f"{LIST}{order['id']}/", available(account)
    assert "Cancel it for" not in text_of(portal.get(page)), "Its cost is shown first"
    shown = portal.post(page)
    form = form_of(shown)
    penalty = order["conditions"]["penaltyCents"]
    assert form["penalty"] == str(penalty)
    assert f"Cancel it for {penalty / 100:,.2f} EUR" in text_of(shown).replace("\u00a0", " ")
    answers = [portal.post(f"{page}cancel/", form, follow=True) for _ in range(2)]
    assert ["The booking is cancelled." in text_of(answer) for answer in answers] == [True, True]
    assert available(account) - before == order["totalCents"] - penalty
    assert LedgerTransaction.objects.filter(type="refund").count() == 1
    text = text_of(portal.get(page))
    assert "Asked in the portal to cancel" in text
    assert "Cancel it for" not in text
    trail = text_of(portal.get("/portal/audit/"))
    assert f"asked to cancel the booking {order['reference']} for at most" in trail


@pytest.mark.parametrize("product", ["hotel_booking", "transfer_order"])
def test_the_other_products_are_cancelled_as_the_api_does_it(portal, account, api, product):
    booking = getattr(Goods(api), product)
    page = f"{LIST}{booking['id']}/"
    form = form_of(portal.post(page))
    before = available(account)
    assert "The booking is cancelled." in text_of(portal.post(f"{page}cancel/", form, follow=True))
    cancellation = Booking.objects.get().cancellation
    assert cancellation["penaltyCents"] == int(form["penalty"])
    assert available(account) - before == cancellation["refundCents"]


def test_more_than_was_shown_cancels_nothing(portal, account, api):
    order = FlightShop(api).ordered()
    page = f"{LIST}{order['id']}/"
    before = available(account)
    low = form_of(portal.post(page)) | {"penalty": "1"}
    answer = text_of(portal.post(f"{page}cancel/", low, follow=True)).replace("\u00a0", " ")
    assert "more than was shown. Nothing was cancelled." in answer
    assert (Booking.objects.get().status, available(account)) == ("ticketed", before)
    assert "Ask first what cancelling costs now." in text_of(
        portal.post(f"{page}cancel/", low | {"penalty": "2"}, follow=True)
    ), "The key was used for another cost"


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"key": "mine-12345678", "penalty": "9999999"},
        {"key": f"{new_key()}x", "penalty": "9999999"},
        {"key": new_key(), "penalty": "-1"},
        {"key": new_key(), "penalty": "9" * 30},
        {"key": new_key(), "penalty": "many"},
    ],
)
def test_a_form_that_is_none_of_ours_cancels_nothing(portal, api, form):
    order = FlightShop(api).ordered()
    answer = portal.post(f"{LIST}{order['id']}/cancel/", form, follow=True)
    assert "Ask first what cancelling costs now." in text_of(answer)
    assert Booking.objects.get().status == "ticketed"


def test_who_may_not_cancel_is_not_offered_it_and_refused(portal_as, api):
    order = FlightShop(api).ordered()
    page = f"{LIST}{order['id']}/"
    form = form_of(portal_as("developer").post(page))
    for role, may_ask in (("finance", True), ("viewer", False)):
        person = portal_as(role)
        if may_ask:
            assert "Owners and developers can cancel it." in text_of(person.post(page))
        assert person.post(f"{page}cancel/", form).status_code == 403
        assert person.post(f"{page}resend-events/").status_code == 403
    assert Booking.objects.get().status == "ticketed"


def test_bookings_of_others_are_as_unknown_as_what_never_was(portal, api):
    foreign = FlightShop(api_of_new_partner(cents=5_000_000)).ordered()
    own = FlightShop(api).ordered()
    form = {"key": new_key(), "penalty": "99999999"}
    paths = [f"{LIST}{foreign['id']}/", f"/portal/live/bookings/{own['id']}/", f"{LIST}ford_none/"]
    for act in ("cancel/", "resend-events/"):
        assert [portal.post(f"{path}{act}", form).status_code for path in paths] == [404] * 3
        assert [portal.get(f"{path}{act}").status_code for path in paths] == [404] * 3
        assert portal.get(f"{LIST}{own['id']}/{act}")["Location"] == f"{LIST}{own['id']}/"
    assert set(Booking.objects.values_list("status", flat=True)) == {"ticketed"}


def test_a_suspended_account_cancels_nothing(portal, account, api):
    order = FlightShop(api).ordered()
    form = form_of(portal.post(f"{LIST}{order['id']}/"))
    account.status = "suspended"
    account.save()
    answer = portal.post(f"{LIST}{order['id']}/cancel/", form, follow=True)
    assert "The account is suspended." in text_of(answer)
    assert Booking.objects.get().status == "ticketed"


def test_a_stopped_sandbox_cancels_nothing(portal, account, api):
    order = FlightShop(api).ordered()
    form = form_of(portal.post(f"{LIST}{order['id']}/"))
    stop_sandbox(account_id=account.pk)
    answer = portal.post(f"{LIST}{order['id']}/cancel/", form, follow=True)
    assert "The account is read-only." in text_of(answer)
    assert Booking.objects.get().status == "ticketed"


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


def test_where_no_event_was_sent_nothing_is_sent_again(portal, api):
    order = FlightShop(api).ordered()
    answer = portal.post(f"{LIST}{order['id']}/resend-events/", follow=True)
    assert "None of its events was sent to an endpoint." in text_of(answer)
    assert "Send all again" not in text_of(answer)


def test_the_key_of_a_click_is_told_like_any_other(portal, account, api):
    """Whoever takes it out of the form and asks what became of it: there is no request to lead to."""
    order = FlightShop(api).ordered()
    page = f"{LIST}{order['id']}/"
    form = form_of(portal.post(page))
    portal.post(f"{page}cancel/", form)
    told = api.get(f"/v1/operations?idempotencyKey={form['key']}")
    assert (told.status, told.body["state"], told.body["booking"]["status"]) == (200, "done", "cancelled")
    asked = portal.get("/portal/test/call-outcomes/", q=form["key"])
    assert (asked.status_code, order["reference"] in text_of(asked)) == (200, True)
    for path in (
        "/portal/test/balance/",
        "/portal/test/balance/ledger.csv",
        f"/portal/test/find/?q={form['key']}",
    ):
        assert portal.get(path).status_code in {200, 302, 404}, path
