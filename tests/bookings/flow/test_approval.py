"""Bookings that await the approval of the partner's people: what is held, who decides, and each way in which it ends."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import orjson
import pytest

from apps.accounts.actors import Actor, actor_of
from apps.accounts.models import Account, AccountAuditEntry
from apps.accounts.terms import require_four_eyes, set_status
from apps.bookings.erasure import is_open
from apps.bookings.flow import approval, call, reserve, settle
from apps.bookings.flow.approval import approve, awaiting, count_awaiting, decline, may_not_approve
from apps.bookings.flow.cancel import cancel_for_member
from apps.bookings.flow.members import new_key
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.reserve import unpaid_holds
from apps.bookings.flow.resolve import look_up_now
from apps.bookings.models import Booking, Operation
from apps.bookings.selectors import stuck_operations
from apps.common import clock
from apps.common.errors import AccountNotActive, Conflict, GatewayError, InvalidRequest, NotFound
from apps.flights.services.book import OrderFlight
from apps.gateway.requests import Caller
from apps.keys.models import ApiKey
from apps.keys.partner import Partner
from apps.keys.services import issue_key, revoke_key
from apps.ledger.consistency import check_ledger
from apps.ledger.models import SpendLimit
from apps.ledger.money import adjust
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.onboarding.partners import Onboarded
from apps.onboarding.sandboxes import reset_sandbox
from apps.suppliers.errors import Expired, OutcomeUnknown, Rejected
from apps.webhooks.models import Event
from tests.bookings.books import funds, latest
from tests.bookings.conftest import BALANCE_CENTS
from tests.contract.goods import Goods
from tests.factories.accounts import AccountFactory, UserFactory
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop
from tests.support.invariants import violations
from tests.support.scripted_flights import ScriptedFlights
from tests.support.threads import all_at_once

MoveClock = Callable[..., None]
KEY = "one-and-the-same-key"
UNTOUCHED = (BALANCE_CENTS, 0)
REQUESTED, DECIDED, REJECTED = (
    "booking.approval_requested",
    "booking.approval_decided",
    "booking.rejected",
)


def needs_approval(key: ApiKey, above: int = 0, **limits: int) -> None:
    set_spend_limits(key=key, limits=Limits(approval_above_cents=above, **limits))


@pytest.fixture(autouse=True)
def limit(key: ApiKey) -> None:
    needs_approval(key)


@pytest.fixture
def boss(db: None) -> Actor:
    return actor_of(UserFactory(email="boss@acme.example"))


@pytest.fixture
def desk(onboarded: Onboarded) -> Partner:
    """The partner in the portal, without a key."""
    return partner_of(onboarded.account)


def partner_of(account: Account, account_id: str = "") -> Partner:
    return Partner(
        account_id=account_id or account.pk,
        account_status=account.status,
        key_id="",
        environment="test",
        scopes=frozenset(),
        allowed_ips=(),
        currency=account.currency,
        markup_bp=account.markup_bp,
        owner_id=account.pk if account_id else "",
    )


def waiting(shop: FlightShop, key: str | None = None, **more: Any) -> dict[str, Any]:
    reply = shop.order(shop.offer(), key, **more)
    assert (reply.status, reply.body.get("status")) == (201, "awaiting_approval"), reply.body
    return dict(reply.body)


def told() -> list[tuple[str, dict[str, Any]]]:
    """The events, oldest first, with their data."""
    found = Event.objects.order_by("created_at", "sequence")
    return [(event.type, orjson.loads(event.payload)["data"]) for event in found]


def decisions() -> list[tuple[str, str | None]]:
    """The events, and what they say was decided."""
    return [(name, data.get("decision")) for name, data in told()]


# --- The request ---------------------------------------------------------------------------------------------------------
def test_a_booking_above_the_limit_is_held_and_waits_and_no_supplier_is_asked(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, desk: Partner, api: Api
) -> None:
    offer = shop.offer()
    reply = shop.order(offer, KEY)
    order, price = reply.body, offer["totalCents"]
    assert (reply.status, order["status"]) == (201, "awaiting_approval")
    ends_at = datetime.fromisoformat(order["approvalExpiresAt"])
    assert timedelta(minutes=29) < ends_at - clock.now() <= timedelta(minutes=30)
    assert (order["totalCents"], order["supplier"]["reference"]) == (price, None)
    assert (supplier.calls("book"), supplier.calls("reprice")) == (0, 0)
    assert funds(onboarded) == (BALANCE_CENTS - price, price)
    (operation,) = awaiting(desk.account_id, "test")
    assert (operation.kind, operation.booking.pk, operation.amount_cents) == ("book", order["id"], price)
    assert (operation.booking.key.pk, count_awaiting(desk.account_id, "test")) == (operation.key_id, 1)
    data = {
        "bookingType": "flight",
        "bookingId": order["id"],
        "bookingReference": order["reference"],
        "externalReference": None,
        "operation": "book",
        "approvalExpiresAt": order["approvalExpiresAt"],
        "totalCents": price,
        "currency": "EUR",
    }
    assert told() == [(REQUESTED, data)]
    assert api.get("/v1/flights/orders?status=awaiting_approval").body["data"] == [shop.read(order["id"])]
    assert api.get("/v1/account").body["limits"]["spend"]["approvalAboveCents"] == 0


@pytest.mark.parametrize(
    ("above", "status"), [(-1, "awaiting_approval"), (0, "ticketed"), (10**6, "ticketed"), (None, "ticketed")]
)
def test_only_what_is_above_the_limit_waits(
    shop: FlightShop, key: ApiKey, above: int | None, status: str
) -> None:
    offer = shop.offer()
    limits = Limits() if above is None else Limits(approval_above_cents=offer["totalCents"] + above)
    set_spend_limits(key=key, limits=limits)
    reply = shop.order(offer)
    assert (reply.status, reply.body["status"]) == (201, status)
    assert ("approvalExpiresAt" in reply.body) == (status == "awaiting_approval")


def test_each_product_waits_and_is_booked_once_approved(
    goods: Goods, desk: Partner, boss: Actor, onboarded: Onboarded, move_clock: MoveClock
) -> None:
    ends = {}
    for operation in ("createHotelBooking", "createFlightOrder", "createTransferOrder", "createEsimOrder"):
        reply = goods.call(operation)
        assert (reply.status, reply.body["status"]) == (201, "awaiting_approval"), reply.body
        ends[operation] = reply.body["approvalExpiresAt"]
        booking = approve(partner=desk, booking_id=reply.body["id"], actor=boss)
        assert booking.status in Booking.STANDING
    assert min(ends.values()) >= clock.rfc3339(clock.now() + timedelta(minutes=29))
    assert ends["createEsimOrder"] > clock.rfc3339(clock.now() + timedelta(hours=23))
    assert check_ledger() == []


def test_an_offer_that_lives_longer_can_be_approved_as_long(
    shop: FlightShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reserve, "TO_APPROVE", timedelta(minutes=5))
    offer = shop.offer()
    assert shop.order(offer).body["approvalExpiresAt"] == offer["expiresAt"]


@pytest.mark.parametrize(
    ("limits", "spare", "limit"),
    [
        ({"per_day_cents": 10}, None, "perDay"),
        ({"per_booking_cents": 10}, None, "perBooking"),
        ({}, -1, "insufficient_funds"),
    ],
)
def test_what_could_not_be_held_is_refused_and_does_not_wait(
    shop: FlightShop, key: ApiKey, limits: dict[str, int], spare: int | None, limit: str
) -> None:
    offer = shop.offer()
    needs_approval(key, **limits)
    if spare is not None:
        adjust(
            account_id=key.account_id,
            environment="test",
            amount_cents=offer["totalCents"] + spare - BALANCE_CENTS,
            currency="EUR",
            reference="spent",
        )
    reply = shop.order(offer)
    assert (reply.status, reply.error.get("limit", reply.error_type)) == (402, limit)
    assert (Booking.objects.count(), told()) == (0, [])


def test_a_retry_gets_the_stored_answer_while_it_waits_and_after(
    shop: FlightShop, supplier: ScriptedFlights, desk: Partner, boss: Actor
) -> None:
    offer = shop.offer()
    first = shop.order(offer, KEY)
    assert shop.order(offer, KEY).body == first.body
    approve(partner=desk, booking_id=first.body["id"], actor=boss)
    again = shop.order(offer, KEY)
    assert (again.body, again.headers["Idempotent-Replayed"]) == (first.body, "true")
    assert (supplier.calls("book"), Booking.objects.count()) == (1, 1)
    found = shop.api.get(f"/v1/operations?idempotencyKey={KEY}").body
    assert (found["state"], found["booking"]["status"]) == ("done", "ticketed")


def test_its_call_is_done_and_its_booking_waited_for(shop: FlightShop) -> None:
    waiting(shop, KEY)
    found = shop.api.get(f"/v1/operations?idempotencyKey={KEY}").body
    assert (found["state"], found["next"]["action"]) == ("done", "wait")
    assert found["booking"]["status"] == "awaiting_approval"


def test_what_waits_is_live_for_whatever_cleans_up(shop: FlightShop, desk: Partner) -> None:
    order = waiting(shop, externalReference="mine")
    booking = Booking.objects.get()
    assert is_open(booking)
    assert not stuck_operations(clock.now() + timedelta(days=2)).exists()
    assert shop.order(shop.offer(), externalReference="mine").error["bookingId"] == order["id"]
    for type in ("voucher", "receipt", "itinerary"):
        assert shop.api.get(f"/v1/flights/orders/{order['id']}/document?type={type}").status == 409
    with pytest.raises(Conflict):
        look_up_now(operation_id=latest().pk, looked_up_by=UserFactory(is_staff=True))
    for act in ("cancellation-quote", "pay"):
        assert shop.api.post(f"/v1/flights/orders/{order['id']}/{act}", {}).status == 409
    assert shop.read(order["id"])["status"] == "awaiting_approval"


# --- The decision --------------------------------------------------------------------------------------------------------
def test_an_approved_booking_is_booked_and_paid(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, desk: Partner, boss: Actor
) -> None:
    order = waiting(shop)
    booking = approve(partner=desk, booking_id=order["id"], actor=boss)
    price = order["totalCents"]
    assert (booking.status, funds(onboarded)) == ("ticketed", (BALANCE_CENTS - price, 0))
    assert decisions() == [(REQUESTED, None), (DECIDED, "approved"), ("booking.confirmed", None)]
    shown = shop.read(order["id"])
    assert (shown["status"], "approvalExpiresAt" in shown) == ("ticketed", False)
    operation = latest()
    assert (operation.decision, operation.decided_by) == ("approved", "boss@acme.example")
    entry = AccountAuditEntry.objects.get(action="bookings.approved")
    assert (entry.actor, entry.subject_id) == (boss.user, order["id"])
    assert entry.details == {"totalCents": price, "currency": "EUR"}
    assert (awaiting(desk.account_id, "test"), violations(supplier.report())) == ([], [])


@pytest.mark.parametrize("reason", ["", "Too expensive: take the train."])
def test_a_declined_booking_fails_and_its_hold_is_released(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    key: ApiKey,
    reason: str,
) -> None:
    order = waiting(shop, externalReference="mine")
    booking = decline(partner=desk, booking_id=order["id"], actor=boss, reason=reason)
    assert (booking.status, funds(onboarded), supplier.calls("book")) == ("failed", UNTOUCHED, 0)
    assert SpendLimit.objects.get(key=key).day_cents == 0
    assert decisions() == [(REQUESTED, None), (DECIDED, "declined"), (REJECTED, None)]
    assert told()[1][1]["reason"] == (reason or None)
    assert told()[2][1]["reason"] == "It was not approved."
    entry = AccountAuditEntry.objects.get(action="bookings.declined")
    assert entry.details.get("reason", "") == reason
    assert waiting(shop, externalReference="mine")["id"] != order["id"]


@pytest.mark.parametrize("reason", ["a" * 256, "two\nlines", "\x00"])
def test_a_reason_is_one_line(shop: FlightShop, desk: Partner, boss: Actor, reason: str) -> None:
    order = waiting(shop)
    with pytest.raises(InvalidRequest):
        decline(partner=desk, booking_id=order["id"], actor=boss, reason=reason)
    assert shop.read(order["id"])["status"] == "awaiting_approval"


@pytest.mark.parametrize(
    ("spoilt", "status", "events"),
    [
        (Rejected(), "failed", [REJECTED]),
        (Expired(), "failed", [REJECTED]),
        (OutcomeUnknown(), "pending", []),
    ],
)
def test_what_the_supplier_then_answers_is_for_the_booking_to_say(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    spoilt: Exception,
    status: str,
    events: list[str],
) -> None:
    order = waiting(shop)
    supplier.spoil("book", spoilt)
    assert approve(partner=desk, booking_id=order["id"], actor=boss).status == status
    assert [name for name, _ in told()[2:]] == events
    assert (funds(onboarded) == UNTOUCHED) == (status == "failed")


@pytest.mark.parametrize(("percent", "status"), [(110, "failed"), (90, "ticketed")])
def test_the_approved_amount_is_the_most_that_is_paid(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    percent: int,
    status: str,
) -> None:
    order = waiting(shop, maxTotalCents=10**6)
    supplier.ask(percent)
    assert approve(partner=desk, booking_id=order["id"], actor=boss).status == status
    assert latest().failure == ("PriceChanged" if status == "failed" else "")
    assert BALANCE_CENTS - sum(funds(onboarded)) <= order["totalCents"]


def test_a_dearer_price_above_the_limit_does_not_wait_and_is_402(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, key: ApiKey
) -> None:
    offer = shop.offer()
    needs_approval(key, offer["totalCents"])
    supplier.ask(110)
    reply = shop.order(offer, maxTotalCents=2 * offer["totalCents"])
    assert (reply.status, reply.error_type, reply.error["limit"]) == (402, "spend_limit_exceeded", "approval")
    assert (reply.error["limitCents"], reply.error["resetsAt"]) == (offer["totalCents"], None)
    assert (latest().state, funds(onboarded), supplier.calls("book")) == ("failed", UNTOUCHED, 0)


@pytest.mark.parametrize("product", ["flight", "hotel", "esim"])
def test_what_else_holds_funds_above_the_limit_is_refused(
    goods: Goods, key: ApiKey, onboarded: Onboarded, product: str
) -> None:
    set_spend_limits(key=key, limits=Limits())
    operation = {
        "flight": "addFlightOrderServices",
        "hotel": "changeHotelBooking",
        "esim": "createEsimTopUp",
    }[product]
    path, body = goods.request(operation)
    before = funds(onboarded)
    needs_approval(key)
    reply = goods.api.post(path, body)
    assert (reply.status, reply.error_type, reply.error["limit"]) == (402, "spend_limit_exceeded", "approval")
    assert funds(onboarded) == before


# --- Who decides, and when ------------------------------------------------------------------------------------------------
def test_nobody_else_decides(shop: FlightShop, boss: Actor, desk: Partner) -> None:
    order = waiting(shop)
    other = partner_of(AccountFactory())
    for booking_id, partner in ((order["id"], other), ("ford_unknown", desk), ("", desk)):
        for act in (approve, decline):
            with pytest.raises(NotFound):
                act(partner=partner, booking_id=booking_id, actor=boss)  # type: ignore[operator]
    assert shop.read(order["id"])["status"] == "awaiting_approval"


def test_with_four_eyes_who_issued_the_key_may_decline_and_not_approve(
    onboarded: Onboarded, supplier: ScriptedFlights, desk: Partner, boss: Actor
) -> None:
    account = onboarded.account
    own, secret = issue_key(account=account, environment="test", name="Mine", actor=boss)
    needs_approval(own)
    orders = [waiting(FlightShop(Api(secret))) for _ in range(3)]
    assert may_not_approve(latest(), boss.user) == ""
    approve(partner=desk, booking_id=orders[0]["id"], actor=boss)
    require_four_eyes(account=account, required=True, actor=boss)
    assert may_not_approve(latest(), boss.user) != ""
    with pytest.raises(Conflict, match="another member"):
        approve(partner=desk, booking_id=orders[1]["id"], actor=boss)
    assert decline(partner=desk, booking_id=orders[1]["id"], actor=boss).status == "failed"
    second = actor_of(UserFactory())
    assert approve(partner=desk, booking_id=orders[2]["id"], actor=second).status == "ticketed"


@pytest.mark.parametrize("status", ["read-only", "suspended"])
def test_an_account_that_may_not_book_may_decline_and_not_approve(
    shop: FlightShop, onboarded: Onboarded, desk: Partner, boss: Actor, status: str
) -> None:
    order = waiting(shop)
    set_status(account=onboarded.account, status=status)
    with pytest.raises(AccountNotActive):
        approve(partner=desk, booking_id=order["id"], actor=boss)
    assert decline(partner=desk, booking_id=order["id"], actor=boss).status == "failed"
    assert funds(onboarded) == UNTOUCHED


def test_what_a_key_asked_for_can_be_approved_once_it_is_revoked(
    shop: FlightShop, key: ApiKey, desk: Partner, boss: Actor
) -> None:
    order = waiting(shop)
    revoke_key(key=key)
    assert approve(partner=desk, booking_id=order["id"], actor=boss).status == "ticketed"


def test_what_waits_expires(
    shop: FlightShop, onboarded: Onboarded, desk: Partner, boss: Actor, move_clock: MoveClock
) -> None:
    order = waiting(shop)
    move_clock(seconds=1_000)
    assert recover_due() == 0
    move_clock(minutes=60)
    assert awaiting(desk.account_id, "test") == []
    with pytest.raises(Conflict, match="no longer be approved"):
        approve(partner=desk, booking_id=order["id"], actor=boss)
    assert recover_due() == 1
    assert (shop.read(order["id"])["status"], funds(onboarded)) == ("failed", UNTOUCHED)
    assert decisions() == [(REQUESTED, None), (DECIDED, "expired"), (REJECTED, None)]
    with pytest.raises(Conflict, match="no longer be approved"):
        approve(partner=desk, booking_id=order["id"], actor=boss)


def test_it_expires_with_the_clock_of_its_test_environment(shop: FlightShop, api: Api) -> None:
    order = waiting(shop)
    assert api.post("/sandbox/clock", {"advanceSeconds": 7_200}).status == 200
    assert recover_due() == 1
    assert shop.read(order["id"])["status"] == "failed"


def test_after_a_reset_nobody_approves_and_it_expires(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    move_clock: MoveClock,
) -> None:
    order = waiting(shop)
    reset_sandbox(account_id=onboarded.account.pk)
    with pytest.raises(Conflict, match="reset"):
        approve(partner=desk, booking_id=order["id"], actor=boss)
    move_clock(hours=2)
    assert recover_due() == 1
    assert (Booking.objects.get().status, supplier.calls("book")) == ("failed", 0)
    assert check_ledger() == []


@pytest.mark.parametrize("by", ["key", "member"])
def test_cancelling_what_waits_ends_in_failed_with_nothing_paid(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, desk: Partner, boss: Actor, by: str
) -> None:
    order = waiting(shop)
    if by == "key":
        reply = shop.cancel(order["id"], KEY)
        assert (reply.status, reply.body["status"]) == (200, "failed")
        assert reply.body["cancellation"] is None
        assert shop.cancel(order["id"], KEY).body == reply.body
        assert shop.cancel(order["id"]).error_type == "conflict"
    else:
        booking = Booking.objects.get()
        ended = cancel_for_member(
            partner=desk, booking=booking, actor=boss, max_penalty_cents=0, key=new_key()
        )
        assert ended.status == "failed"
    assert (funds(onboarded), Operation.objects.count()) == (UNTOUCHED, 1)
    assert (supplier.calls("book"), supplier.calls("cancel")) == (0, 0)
    assert decisions() == [(REQUESTED, None), (DECIDED, "cancelled"), (REJECTED, None)]
    with pytest.raises(Conflict, match="cancelled"):
        approve(partner=desk, booking_id=order["id"], actor=boss)


def test_a_second_decision_says_who_took_the_first(shop: FlightShop, desk: Partner, boss: Actor) -> None:
    order = waiting(shop)
    decline(partner=desk, booking_id=order["id"], actor=boss)
    with pytest.raises(Conflict, match=r"boss@acme\.example has declined it already"):
        approve(partner=desk, booking_id=order["id"], actor=boss)
    with pytest.raises(Conflict, match=r"boss@acme\.example has declined it already"):
        decline(partner=desk, booking_id=order["id"], actor=boss)
    assert AccountAuditEntry.objects.filter(action__startswith="bookings.").count() == 1


# --- Payments of orders on hold ------------------------------------------------------------------------------------------
@pytest.fixture
def paying(shop: FlightShop) -> dict[str, Any]:
    order = shop.held()
    reply = shop.pay(order, KEY)
    assert (reply.status, reply.body["status"]) == (200, "awaiting_approval"), reply.body
    assert reply.body["approvalExpiresAt"] == order["payBy"]
    return order


def test_a_payment_waits_and_is_made_once_approved(
    shop: FlightShop, onboarded: Onboarded, desk: Partner, boss: Actor, paying: dict[str, Any]
) -> None:
    assert funds(onboarded)[1] == paying["totalCents"]
    assert unpaid_holds(Booking.objects.get()) == 1
    assert shop.pay(paying, KEY).body["status"] == "awaiting_approval"
    assert shop.pay(paying).error_type == "conflict"
    assert approve(partner=desk, booking_id=paying["id"], actor=boss).status == "ticketed"
    assert [data["operation"] for name, data in told() if name in (REQUESTED, DECIDED)] == ["pay", "pay"]
    assert check_ledger() == []


def test_a_declined_payment_leaves_the_order_on_hold(
    shop: FlightShop, onboarded: Onboarded, desk: Partner, boss: Actor, paying: dict[str, Any]
) -> None:
    assert decline(partner=desk, booking_id=paying["id"], actor=boss).status == "on_hold"
    assert funds(onboarded) == UNTOUCHED
    assert decisions() == [(REQUESTED, None), (DECIDED, "declined")]
    assert shop.read(paying["id"])["payBy"] == paying["payBy"]


def test_cancelling_an_order_whose_payment_waits_cancels_the_order(
    shop: FlightShop, onboarded: Onboarded, supplier: ScriptedFlights, paying: dict[str, Any]
) -> None:
    reply = shop.cancel(paying["id"])
    assert (reply.status, reply.body["status"]) == (200, "cancelled"), reply.body
    assert (funds(onboarded), supplier.calls("cancel")) == (UNTOUCHED, 1)
    assert decisions()[:2] == [(REQUESTED, None), (DECIDED, "cancelled")]


# --- Races ----------------------------------------------------------------------------------------------------------------
Act = Callable[[], Any]


def attempt(act: Act) -> str:
    try:
        ended = act()
    except GatewayError as refused:
        return refused.type
    return str(ended.status if isinstance(ended, Booking | Reply) else "done")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("other", ["approve", "decline", "expire", "cancel", "reset", "retry"])
def test_two_who_decide_at_once_decide_once(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    move_clock: MoveClock,
    other: str,
) -> None:
    offer = shop.offer()
    order = shop.order(offer, KEY).body
    account_id = onboarded.account.pk
    same = {"partner": desk, "booking_id": order["id"], "actor": boss}
    acts: dict[str, Act] = {
        "approve": partial(approve, **same),
        "decline": partial(decline, **same),
        "expire": recover_due,
        "cancel": partial(shop.cancel, order["id"]),
        "reset": partial(reset_sandbox, account_id=account_id),
        "retry": partial(shop.order, offer, KEY),
    }
    if other == "expire":
        until = datetime.fromisoformat(order["approvalExpiresAt"]) - clock.now()
        move_clock(seconds=until.total_seconds() - 0.02)
    all_at_once([partial(attempt, acts[name]) for name in ("approve", other, "approve", other)])
    move_clock(hours=3)
    recover_due()
    booking = Booking.objects.get()
    assert booking.status in ("ticketed", "failed")
    counted = Counter(name for name, _ in decisions())
    assert (counted[REQUESTED], counted[DECIDED]) == (1, 1)
    assert supplier.calls("book") == (booking.status == "ticketed")
    assert violations(supplier.report()) == []


@pytest.mark.django_db(transaction=True)
def test_a_limit_that_is_set_meanwhile_is_noticed(
    shop: FlightShop, supplier: ScriptedFlights, onboarded: Onboarded, key: ApiKey
) -> None:
    offer = shop.offer()
    shops = [FlightShop(Api(onboarded.test_secret)) for _ in range(12)]
    limits = [Limits(), Limits(approval_above_cents=0)] * 6
    calls: list[Act] = []
    for each, limit in zip(shops, limits, strict=True):
        calls += [partial(each.order, offer), partial(set_spend_limits, key=key, limits=limit)]
    statuses = Counter(map(status_of, all_at_once(calls)))
    assert set(statuses) <= {"ticketed", "awaiting_approval", ""}
    assert statuses["ticketed"] + statuses["awaiting_approval"] == 12
    assert supplier.calls("book") == statuses["ticketed"]
    assert check_ledger() == []


def status_of(reply: Reply | None) -> str:
    return "" if reply is None else str(reply.body.get("status", reply.body))


# --- Kills -----------------------------------------------------------------------------------------------------------------
class Killed(BaseException):
    """The process ends here: nobody catches it, and nothing more is written."""


def kill(*_: Any, **__: Any) -> Any:
    raise Killed


AT_THE_REQUEST = {
    "before it is held": (reserve, "insert_booking_with_hold"),
    "once it is held": (reserve, "request_approval"),
    "before the answer is stored": (Caller, "complete"),
    "once it waits": (Caller, "answer"),
}
AT_THE_DECISION = {
    "before it is decided": (approval, "advance"),
    "before the event": (approval, "emit_events"),
    "before the trail": (approval, "record"),
    "once it is decided": (approval, "perform"),
    "before the price": (OrderFlight, "prepare"),
    "before the call is marked": (call, "mark_calling"),
    "before the call": (OrderFlight, "call"),
    "before the answer": (call, "record"),
    "while it is written": (settle, "end_together"),
}
AT_ANOTHER_END = {
    "before it fails": (approval, "fail"),
    "before the event": (approval, "emit_events"),
    "before the hold is released": (settle, "release"),
}
ROUNDS = 20


def killed(act: Act, monkeypatch: pytest.MonkeyPatch, at: tuple[object, str]) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(*at, kill)
        with pytest.raises(Killed):
            act()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("at", AT_THE_REQUEST)
def test_a_request_that_dies_is_made_once_by_its_retry(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: MoveClock,
    at: str,
) -> None:
    held = 0
    for place in range(1, ROUNDS + 1):
        offer, key = shop.offer(), f"the-key-of-round-{place}"
        killed(partial(shop.order, offer, key), monkeypatch, AT_THE_REQUEST[at])
        move_clock(seconds=61)
        reply = shop.order(offer, key)
        assert (reply.status, reply.body["status"]) == (201, "awaiting_approval")
        held += offer["totalCents"]
        assert (Booking.objects.count(), funds(onboarded)[1]) == (place, held)
    move_clock(hours=1)
    assert recover_due() == ROUNDS
    assert (funds(onboarded), supplier.calls("book")) == (UNTOUCHED, 0)
    assert Counter(name for name, _ in told()) == {REQUESTED: ROUNDS, DECIDED: ROUNDS, REJECTED: ROUNDS}
    assert violations(supplier.report()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("at", AT_THE_DECISION)
def test_a_decision_that_dies_is_taken_once_or_can_be_taken_again(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: MoveClock,
    at: str,
) -> None:
    for _ in range(ROUNDS):
        same = {"partner": desk, "booking_id": waiting(shop)["id"], "actor": boss}
        killed(partial(approve, **same), monkeypatch, AT_THE_DECISION[at])
        if latest().state == "awaiting":
            approve(**same)
        move_clock(seconds=61)
        recover_due()
        move_clock(minutes=10)
        recover_due()
        move_clock(minutes=10)
        recover_due()
        assert latest().state in ("confirmed", "failed")
    counted = Counter(name for name, _ in told())
    assert (counted[REQUESTED], counted[DECIDED]) == (ROUNDS, ROUNDS)
    assert counted["booking.confirmed"] + counted[REJECTED] == ROUNDS
    assert funds(onboarded)[1] == 0
    assert violations(supplier.report()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["decline", "cancel", "expire"])
@pytest.mark.parametrize("at", AT_ANOTHER_END)
def test_another_end_that_dies_releases_once(
    shop: FlightShop,
    supplier: ScriptedFlights,
    onboarded: Onboarded,
    desk: Partner,
    boss: Actor,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: MoveClock,
    at: str,
    how: str,
) -> None:
    for place in range(ROUNDS):
        order = waiting(shop)
        acts: dict[str, Act] = {
            "decline": partial(decline, partner=desk, booking_id=order["id"], actor=boss),
            "cancel": partial(shop.cancel, order["id"], f"the-key-of-round-{place}"),
            "expire": recover_due,
        }
        if how == "expire":
            move_clock(hours=1)
        killed(acts[how], monkeypatch, AT_ANOTHER_END[at])
        assert latest().state == "awaiting"
        move_clock(seconds=91)
        acts[how]()
        assert latest().state == "failed"
    assert Counter(name for name, _ in told()) == {REQUESTED: ROUNDS, DECIDED: ROUNDS, REJECTED: ROUNDS}
    assert (funds(onboarded), supplier.calls("book")) == (UNTOUCHED, 0)
    assert violations(supplier.report()) == []


@pytest.mark.parametrize(
    ("operation", "trigger"),
    [
        ("createFlightOrder", "sbx_schedule_changed"),
        ("createHotelBooking", "sbx_supplier_changed"),
        ("createTransferOrder", "sbx_supplier_changed"),
        ("createTransferOrder", "sbx_pending"),
        ("createFlightOrder", "sbx_slow"),
    ],
)
def test_a_trigger_of_the_suppliers_waits_for_no_approval(goods: Goods, operation: str, trigger: str) -> None:
    reply = goods.call(operation, X_Partner_Customer_Ref=trigger)
    assert (reply.status, reply.body["status"]) == (201, "awaiting_approval")
