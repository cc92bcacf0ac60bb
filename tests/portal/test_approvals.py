"""The queue of bookings that await approval, and the decisions about them."""

import pytest

from apps.accounts.models import Account, AccountAuditEntry, Role
from apps.bookings.models import Booking
from apps.flights.suppliers import registry
from apps.ledger.selectors import balance_of
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.suppliers.errors import OutcomeUnknown, Rejected
from apps.suppliers.vendors import Vendor
from tests.contract.goods import Goods
from tests.factories.keys import issued_key
from tests.portal.awaiting import LIST, page, price
from tests.portal.person import Person
from tests.portal.reading import text_of
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db
QUEUE, TEAM = "/portal/test/approvals/", "/portal/team/"
CENTS = 50_000_000


@pytest.fixture
def supplier(monkeypatch: pytest.MonkeyPatch) -> ScriptedFlights:
    scripted = ScriptedFlights()
    monkeypatch.setitem(registry.VENDORS, "simulator", Vendor("simulator", lambda: scripted))
    return scripted


def said(person: Person, path: str, form: dict | None = None) -> str:
    answer = person.client.get(path, follow=True) if form is None else person.post(path, form, follow=True)
    return text_of(answer).replace("\u00a0", " ")


def available(account: Account) -> int:
    return balance_of(account.pk, "test").available_cents


def test_an_approver_sees_what_waits_and_approves_it(portal_as, account, order):
    approver = portal_as(Role.APPROVER)
    queue = said(approver, QUEUE)
    for shown in (order["reference"], price(order), "Ada Lovelace", "Junior desk", "LIS → BER", "in 29 min"):
        assert shown in queue
    assert "Awaiting approval" in said(approver, f"{LIST}?status=awaiting_approval")
    waiting = said(approver, page(order))
    assert f"The booking of {price(order)} awaits approval. It expires in 29 min" in waiting
    assert "Waiting for approval" in waiting

    asked = said(approver, page(order, "approve/"))
    assert f"Approve {order['reference']} for {price(order)}?" in asked
    assert "LIS → BER" in asked
    assert Booking.objects.get().status == "awaiting_approval"

    done = said(approver, page(order, "approve/"), {})
    assert "Approved. The booking is ticketed." in done
    assert f"Approved by {approver.user.email}, " in done
    assert (Booking.objects.get().status, available(account)) == ("ticketed", CENTS - order["totalCents"])
    assert "Nothing waits for approval" in said(approver, QUEUE)
    trail = said(approver, "/portal/audit/")
    assert f"{approver.user.email} approved the booking {order['reference']} at {price(order)}" in trail


def test_a_declined_booking_says_who_declined_it_and_why(portal_as, account, order, supplier):
    approver = portal_as(Role.APPROVER)
    assert "Reason (optional)" in said(approver, page(order, "decline/"))
    done = said(approver, page(order, "decline/"), {"reason": "Over the budget"})
    assert "Declined. The hold is released." in done
    assert f"Declined by {approver.user.email}" in done
    assert "Reason: Over the budget" in done
    assert (Booking.objects.get().status, available(account)) == ("failed", CENTS)
    assert supplier.calls("book") == 0


@pytest.mark.parametrize("reason", ["x" * 256, "two\nlines", "a\u0007b"])
def test_a_reason_that_cannot_be_kept_is_said_beside_its_field(portal, order, reason):
    answer = portal.post(page(order, "decline/"), {"reason": reason})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["reason"])
    assert Booking.objects.get().status == "awaiting_approval"


@pytest.mark.parametrize("act", ["approve/", "decline/"])
@pytest.mark.parametrize(
    ("meanwhile", "message"),
    [
        ("approve/", "has approved it already"),
        ("decline/", "has declined it already"),
        ("cancel", "It was cancelled while it awaited approval."),
        ("expire", "It can no longer be approved."),
    ],
)
def test_what_no_longer_waits_is_not_decided(
    portal, portal_as, limited, order, move_clock, act, meanwhile, message
):
    approver = portal_as(Role.APPROVER)
    if meanwhile == "cancel":
        assert FlightShop(limited).cancel(order["id"]).status == 200
    elif meanwhile == "expire":
        move_clock(minutes=61)
    else:
        portal.post(page(order, meanwhile), {})
    before = Booking.objects.values().get()
    assert message in said(approver, page(order, act))
    assert message in said(approver, page(order, act), {})
    assert Booking.objects.values().get() == before


@pytest.mark.parametrize(
    ("error", "message", "status"),
    [
        (Rejected(), "Approved, but not booked. The supplier refused it.", "failed"),
        (OutcomeUnknown(), "Approved. The supplier has not responded yet", "pending"),
    ],
)
def test_what_becomes_of_an_approved_booking_is_said(portal, supplier, order, error, message, status):
    supplier.spoil("book", error)
    assert message in said(portal, page(order, "approve/"), {})
    assert Booking.objects.get().status == status


def test_the_payment_of_an_order_on_hold_is_approved_as_well(portal, account, limited):
    shop = FlightShop(limited)
    held = shop.held()
    paid = shop.pay(held)
    assert paid.body.get("status") == "awaiting_approval", paid.body
    assert f"The payment of {price(held)} awaits approval" in said(portal, page(held))
    assert "Declined. The order is on hold as before." in said(portal, page(held, "decline/"), {})
    shop.pay(held)
    assert "Approved. The booking is ticketed." in said(portal, page(held, "approve/"), {})


def test_four_eyes_leave_the_decision_to_somebody_else(portal, portal_as, account, order):
    assert "A person who issued a key can no longer approve its bookings" in said(
        portal, f"{TEAM}approval/", {"required": "on"}
    )
    entry = AccountAuditEntry.objects.get(action="account.approval_four_eyes_changed")
    assert (entry.actor, entry.details) == (portal.user, {"required": True})
    assert "Four eyes : a person who issued a key cannot approve its bookings." in said(portal, TEAM)

    assert "needs a second person" in said(portal, QUEUE)
    for answer in (said(portal, page(order, "approve/")), said(portal, page(order, "approve/"), {})):
        assert "You issued the key that made this booking" in answer
    assert Booking.objects.get().status == "awaiting_approval"
    assert "Approved. The booking is ticketed." in said(portal_as(Role.OWNER), page(order, "approve/"), {})


def test_only_owners_and_approvers_are_asked_to_decide(portal_as, order):
    for role in (Role.DEVELOPER, Role.FINANCE, Role.VIEWER):
        person = portal_as(role)
        for path in (QUEUE, page(order)):
            shown = person.get(path).content.decode()
            assert "Owners and approvers of this account decide." in shown
            assert "/approve/" not in shown
        assert person.post(page(order, "approve/")).status_code == 403
    assert Booking.objects.get().status == "awaiting_approval"


def test_the_navigation_counts_what_waits_where_approval_is_used(portal, account, api):
    def entry(path: str = "/portal/test/") -> str | None:
        text = said(portal, path)
        start = text.find("Approvals")
        return None if start < 0 else text[start : text.index("Requests", start)].strip()

    assert entry() is None
    assert "No key asks for approval" in said(portal, QUEUE)
    key, secret = issued_key(account, name="Limited")
    set_spend_limits(key=key, limits=Limits(approval_above_cents=0))
    assert entry() == "Approvals"
    stay, ride = Goods(Api(secret)).hotel_booking, Goods(Api(secret)).transfer_order
    assert {stay["status"], ride["status"]} == {"awaiting_approval"}
    assert entry() == "Approvals , waiting: 2"
    assert entry("/portal/live/") is None
    portal.post(page(stay, "decline/"), {})
    assert entry("/portal/team/") == "Approvals , waiting: 1", "That of the environment looked at last"
    assert entry() == "Approvals , waiting: 1"
