"""Changing a stay: held before the supplier is asked where it costs, credited afterwards where it saves; one stay is paid for."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.hotels.details import StayDetails
from apps.hotels.models import HotelChangeSearch
from apps.hotels.services.orphans import report_orphans
from apps.hotels.suppliers.base import Queued
from apps.ledger.consistency import check_ledger
from apps.ledger.models import LedgerTransaction
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected, Unavailable
from apps.suppliers.models import SimulatedWrite, SupplierAlert
from apps.suppliers.results import PenaltyStep
from apps.suppliers.simulation import Market
from apps.suppliers.values import replaced
from apps.webhooks.models import Event
from tests.hotels.conftest import BALANCE_CENTS, onboard
from tests.hotels.front_desk import ADA, BYRON, CHARLES, LISBON, FrontDesk, faults, in_days
from tests.hotels.suppliers.changing import POINTS, killed_at
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api, Reply

SUPPLIER, CONFLICT, EXPIRED = (503, "upstream_unavailable"), (409, "conflict"), (410, "offer_expired")
LATER = {"checkIn": 60, "checkOut": 63}
MONTH = {**LISBON, "checkIn": 30, "checkOut": 32}
PAIR = {**MONTH, "rooms": [{"adults": 2, "childrenAges": [7]}]}
MoveClock = Callable[..., None]


def dated(body: dict[str, Any]) -> dict[str, Any]:
    """Days given as numbers are so many ahead."""
    return {name: in_days(value) if type(value) is int else value for name, value in body.items()}


def refusal(reply: Reply) -> tuple[int, str | None]:
    return reply.status, reply.error_type


def a_stay(desk: FrontDesk, search: dict[str, Any] = MONTH, **more: Any) -> dict[str, Any]:
    return desk.booked(desk.rate(dated(search)), **more)


def option_of(
    desk: FrontDesk, booking: dict[str, Any], *, refundable: bool = True, **wanted: Any
) -> dict[str, Any]:
    options = desk.options_of(booking, **dated(wanted or LATER))
    return next(option for option in options if option["refundable"] is refundable)


def events() -> list[tuple[str, dict[str, Any]]]:
    """Those after the bookings, oldest first."""
    names = ("changes", "totalCents", "differenceCents", "refundCents")
    found = Event.objects.exclude(type="booking.confirmed").order_by("created_at", "type")
    data = [(event.type, orjson.loads(event.payload)["data"]) for event in found]
    return [(type, {name: said[name] for name in names if name in said}) for type, said in data]


def standing() -> list[str]:
    """The stays that stand at the simulator."""
    latest: dict[str, SimulatedWrite] = {}
    for write in SimulatedWrite.objects.filter(product="hotels").order_by("sequence"):
        latest[write.reference] = write
    return [reference for reference, write in latest.items() if not write.record["cancelled"]]


def alerts() -> list[str]:
    return list(SupplierAlert.objects.values_list("kind", flat=True))


def money_is_right(desk: FrontDesk) -> None:
    """What was taken for each booking is what it costs, and nothing is held."""
    while settle_owed():
        pass
    spent = dict.fromkeys(Booking.objects.values_list("reference", flat=True), 0)
    for one in LedgerTransaction.objects.exclude(type="top_up"):
        spent[one.booking_reference] -= one.amount_cents + one.held_delta_cents
    assert spent == dict(Booking.objects.values_list("reference", "total_cents"))
    assert desk.balance() == (BALANCE_CENTS - sum(spent.values()), 0)
    assert check_ledger() == []


def resolve(move_clock: MoveClock) -> None:
    """Let the time pass in which lost answers are looked up."""
    for seconds in (60, 120, 120, 600):
        move_clock(seconds=seconds)
        recover_due()


# --- What it costs, and what becomes of the booking ------------------------------------------------------------------------
def test_a_dearer_stay_is_held_before_the_supplier_is_asked_and_captured_after(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    booking = a_stay(desk, externalReference="ACME-7", specialRequests="A quiet room, please.")
    option, paid = option_of(desk, booking), booking["totalCents"]
    cost = option["differenceCents"]
    assert (cost, option["penaltyCents"]) == (option["totalCents"] - paid, 0)
    assert cost > 0
    during: list[Any] = []
    carried_out = supplier.change

    def change(*asked: Any) -> Any:
        during.append((desk.balance(), desk.read(booking["id"]).body["changeUnderWay"]["changeId"]))
        return carried_out(*asked)

    monkeypatch.setattr(supplier, "change", change)
    reply = desk.change(booking, option)
    after = reply.body
    assert (reply.status, after["settled"]) == (200, True)
    assert during == [((BALANCE_CENTS - paid - cost, cost), option["changeId"])]
    assert desk.balance() == (BALANCE_CENTS - paid - cost, 0)
    assert after["changes"] == [
        {
            "changeId": option["changeId"],
            "differenceCents": cost,
            "penaltyCents": 0,
            "currency": "EUR",
            "settled": True,
            "settledAt": after["changes"][0]["createdAt"],
            "createdAt": after["changes"][0]["createdAt"],
        }
    ]
    assert (after["totalCents"], after["checkIn"], after["checkOut"]) == (
        paid + cost,
        option["checkIn"],
        option["checkOut"],
    )
    kept = ("id", "reference", "externalReference", "guests", "contact", "specialRequests", "hotel", "status")
    assert {name: after[name] for name in kept} == {name: booking[name] for name in kept}
    news = ("cancellationPolicy", "payAtHotel", "rooms")
    assert {name: after[name] for name in news} == {name: option[name] for name in news}
    assert after["confirmationCode"] != booking["confirmationCode"]
    assert standing() == [after["supplier"]["reference"]] != [booking["supplier"]["reference"]]
    assert events() == [
        ("booking.changed", {"changes": ["dates"], "totalCents": paid + cost, "differenceCents": cost})
    ]
    read = desk.read(booking["id"]).body
    assert {**read, "settled": True} == after
    assert (read["changeUnderWay"], alerts()) == (None, [])
    money_is_right(desk)


def test_a_cheaper_stay_is_credited_afterwards(desk: FrontDesk) -> None:
    booking = a_stay(desk, {**LISBON, "checkIn": 30, "checkOut": 35})
    option = option_of(desk, booking, checkIn=30, checkOut=31)
    saved = -option["differenceCents"]
    assert saved > 0
    after = desk.change(booking, option).body
    assert (after["settled"], after["changes"][0]["settled"]) == (False, False)
    assert after["totalCents"] == booking["totalCents"] - saved
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)
    assert (settle_owed(), settle_owed()) == (1, 0)
    (change,) = desk.read(booking["id"]).body["changes"]
    assert (change["settled"], change["settledAt"] is not None) == (True, True)
    assert events()[1:] == [("payment.refunded", {"refundCents": saved})]
    money_is_right(desk)


def test_more_rooms_for_the_same_guests(desk: FrontDesk) -> None:
    booking = a_stay(desk, PAIR, guests=[ADA, CHARLES, BYRON])
    rooms = [{"adults": 1, "childrenAges": [7]}, {"adults": 1, "childrenAges": []}]
    after = desk.change(booking, option_of(desk, booking, rooms=rooms)).body
    assert [(room["adults"], room["childrenAges"]) for room in after["rooms"]] == [(1, [7]), (1, [])]
    assert (after["guests"], after["checkIn"]) == (booking["guests"], booking["checkIn"])
    assert events()[0][1]["changes"] == ["rooms"]
    money_is_right(desk)


def penalty_in_force(supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch, cents: int) -> None:
    """From now on every stay that is booked costs so much to give up."""
    book = supplier.book
    steps = (PenaltyStep(None, cents),)
    monkeypatch.setattr(supplier, "book", lambda request: replaced(book(request), penalty_steps=steps))
    latest = supplier.latest

    def stored(reference: str) -> Any:
        stay, sequence = latest(reference)
        return replaced(stay, penalty_steps=steps), sequence

    monkeypatch.setattr(supplier, "latest", stored)


def test_the_penalty_of_the_old_stay_is_paid_once_and_comes_back_never(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    penalty_in_force(supplier, monkeypatch, 1_000)
    booking = a_stay(desk)
    option = option_of(desk, booking)
    assert option["penaltyCents"] == 1_000
    assert option["differenceCents"] == option["totalCents"] + 1_000 - booking["totalCents"]
    after = desk.change(booking, option).body
    assert after["totalCents"] == booking["totalCents"] + option["differenceCents"]
    assert after["changes"][0]["penaltyCents"] == 1_000
    money_is_right(desk)
    # Back again, which costs the new stay's own penalty and not the first one's once more.
    back = option_of(desk, after, checkIn=30, checkOut=32)
    assert back["differenceCents"] == back["totalCents"] + 1_000 - option["totalCents"]
    after = desk.change(after, back).body
    assert after["totalCents"] == back["totalCents"] + 2_000
    money_is_right(desk)
    assert after["cancellationSteps"][0]["penaltyCents"] >= 2_000
    cancelled = desk.cancel(after).body["cancellation"]
    assert cancelled["penaltyCents"] == 3_000
    assert desk.balance() == (BALANCE_CENTS - 3_000, 0)
    assert check_ledger() == []


def test_a_supplier_that_keeps_less_than_it_said_gives_it_back(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    penalty_in_force(supplier, monkeypatch, 1_000)
    booking = a_stay(desk)
    option = option_of(desk, booking)
    change = supplier.change

    def at_no_cost(*asked: Any) -> Any:
        moved = change(*asked)
        return replaced(moved, given_up=replaced(moved.given_up, penalty_cents=0))

    monkeypatch.setattr(supplier, "change", at_no_cost)
    after = desk.change(booking, option).body
    assert after["totalCents"] == option["totalCents"]
    money_is_right(desk)


# --- Refusals --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({}, "checkIn"),
        ({"checkIn": -2}, "checkIn"),
        ({"checkIn": 40}, "checkIn"),
        ({"checkIn": 30}, "checkIn"),
        ({"checkOut": 30}, "checkOut"),
        ({"checkOut": 61}, "checkOut"),
        ({"checkIn": 60, "checkOut": 91}, "checkOut"),
        ({"checkIn": 30, "checkOut": 32}, "checkIn"),
        ({"rooms": []}, "rooms"),
        ({"rooms": [{"adults": 2, "childrenAges": [7]}]}, "rooms"),
        ({"rooms": [{"adults": 1, "childrenAges": [7]}]}, "rooms"),
        ({"rooms": [{"adults": 2}]}, "rooms"),
        ({"rooms": [{"adults": 2, "childrenAges": [8]}]}, "rooms"),
        ({"rooms": [{"adults": 1, "childrenAges": [7]}, {"adults": 1}, {"adults": 1}]}, "rooms"),
        ({"rooms": [{"adults": 2, "childrenAges": [7], "pets": 1}]}, "rooms.0.pets"),
        ({"checkOut": 40, "nights": 3}, "nights"),
    ],
)
def test_a_stay_that_cannot_be_is_refused_at_its_field(
    desk: FrontDesk, wanted: dict[str, Any], field: str
) -> None:
    booking = a_stay(desk, PAIR, guests=[ADA, CHARLES, BYRON])
    before = desk.balance()
    assert faults(desk.options(booking, **dated(wanted))) == [field]
    assert (desk.balance(), HotelChangeSearch.objects.count()) == (before, 0)


def test_the_hotels_own_date_decides_what_is_past(
    desk: FrontDesk, move_clock: MoveClock, still_clock: None
) -> None:
    """Yesterday is a day's grace for time zones, and over in Lisbon."""
    booking = a_stay(desk)
    assert faults(desk.options(booking, checkIn=in_days(-1))) == ["checkIn"]


def test_only_confirmed_refundable_stays_that_have_not_begun_can_be_changed(
    desk: FrontDesk, move_clock: MoveClock
) -> None:
    fixed = desk.booked(desk.rate(dated(MONTH), refundable=False))
    cancelled = a_stay(desk)
    desk.cancel(cancelled)
    begun = a_stay(desk)
    option = option_of(desk, begun)
    move_clock(days=30, hours=23)
    for booking in (fixed, cancelled, begun):
        assert refusal(desk.options(booking, checkOut=in_days(4))) == CONFLICT
        assert refusal(desk.change(booking, option)) == CONFLICT


def test_an_option_is_for_its_booking_and_its_stay_and_for_twenty_minutes(
    desk: FrontDesk, stranger: Api, move_clock: MoveClock
) -> None:
    booking, other = a_stay(desk), a_stay(desk)
    option, same = option_of(desk, booking), option_of(desk, booking)
    assert refusal(desk.change(other, option)) == EXPIRED
    assert refusal(desk.change(booking, "change_x")) == EXPIRED
    assert refusal(desk.change(booking, f"{option['changeId'][:-2]}0z")) == EXPIRED
    assert FrontDesk(stranger).change(booking, option).status == 404
    assert desk.change(booking, option, "only-once").status == 200
    assert desk.change(booking, option, "only-once").body["changes"][0]["changeId"] == option["changeId"]
    assert refusal(desk.change(booking, option)) == CONFLICT
    assert refusal(desk.change(booking, same)) == EXPIRED  # of the stay before the change
    again = option_of(desk, booking, checkIn=70, checkOut=72)
    move_clock(minutes=21)
    assert refusal(desk.change(booking, again)) == EXPIRED
    money_is_right(desk)


def test_an_option_expires_before_giving_up_the_stay_costs_more(
    desk: FrontDesk, move_clock: MoveClock
) -> None:
    booking = a_stay(desk)
    step = booking["cancellationSteps"][1]["from"]
    ahead = datetime.fromisoformat(step) - clock.now() - timedelta(minutes=10)
    move_clock(seconds=ahead.total_seconds())
    assert option_of(desk, booking, checkIn=60, checkOut=61)["expiresAt"] == step
    move_clock(minutes=11)
    assert option_of(desk, booking, checkIn=60, checkOut=61)["penaltyCents"] > 0


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (Expired, EXPIRED),
        (Rejected, (502, "upstream_error")),
        (NotPossible, CONFLICT),
        (Unavailable, SUPPLIER),
    ],
)
@pytest.mark.parametrize("method", ["check_change", "change"])
def test_a_refused_change_leaves_everything_as_it_was(
    desk: FrontDesk, supplier: ScriptedHotels, method: str, error: Any, refused: tuple[int, str]
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    supplier.raises[method] = error
    assert refusal(desk.change(booking, option)) == refused
    after = desk.read(booking["id"]).body
    assert {**after, "updatedAt": ""} == {**booking, "updatedAt": ""}
    assert (standing(), events()) == ([booking["supplier"]["reference"]], [])
    money_is_right(desk)


@pytest.mark.parametrize("percent", [100, 101, 90])
def test_a_price_that_rises_is_refused_unless_the_partner_allows_it(
    desk: FrontDesk, supplier: ScriptedHotels, percent: int
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    supplier.market = Market(percent=percent)
    reply = desk.change(booking, option, "first-one")
    total = booking["totalCents"] + option["differenceCents"]
    if percent > 100:
        assert refusal(reply) == (409, "price_changed")
        now = reply.error["currentTotalCents"]
        assert reply.error["previousTotalCents"] == total < now
        assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)
        assert refusal(desk.change(booking, option, maxTotalCents=now - 1)) == (409, "price_changed")
        reply = desk.change(booking, option, maxTotalCents=now)
        total = now
    assert reply.status == 200
    assert reply.body["totalCents"] <= total
    assert percent != 90 or reply.body["totalCents"] < total
    money_is_right(desk)


def test_a_total_above_what_the_partner_allows_never_reaches_the_supplier(
    desk: FrontDesk, supplier: ScriptedHotels
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    total = booking["totalCents"] + option["differenceCents"]
    assert refusal(desk.change(booking, option, maxTotalCents=total - 1)) == (409, "price_changed")
    assert supplier.asked["change"] == 0
    assert desk.change(booking, option, maxTotalCents=total).status == 200


def test_a_change_that_the_funds_do_not_cover_never_reaches_the_supplier(supplier: ScriptedHotels) -> None:
    desk = FrontDesk(Api(onboard(balance_cents=20_000).test_secret))
    booking = a_stay(desk)
    option = option_of(desk, booking, checkIn=60, checkOut=90)
    assert option["differenceCents"] > desk.balance()[0]
    assert refusal(desk.change(booking, option)) == (402, "insufficient_funds")
    assert (supplier.asked["change"], desk.balance()) == (0, (20_000 - booking["totalCents"], 0))
    assert desk.read(booking["id"]).body == booking


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ("sbx_offer_expired", EXPIRED),
        ("sbx_price_changed", (409, "price_changed")),
        ("sbx_insufficient_funds", (402, "insufficient_funds")),
        ("sbx_payment_failed", (402, "payment_failed")),
        ("sbx_supplier_error", (502, "upstream_error")),
    ],
)
def test_each_refusal_can_be_had_in_the_sandbox(
    desk: FrontDesk, value: str, refused: tuple[int, str]
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    assert refusal(desk.change(booking, option, X_Partner_Customer_Ref=value)) == refused
    assert desk.balance() == (BALANCE_CENTS - booking["totalCents"], 0)
    assert desk.change(booking, option).status == 200


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_once_one_is_made(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = FrontDesk(Api(onboard().test_secret))
    booking = a_stay(desk)
    options = [option_of(desk, booking), option_of(desk, booking, checkIn=70, checkOut=72)]
    both = threading.Barrier(2)

    def change(option: dict[str, Any]) -> Reply:
        both.wait(20)
        try:
            return desk.change(booking, option)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        replies = list(pool.map(change, options))
    made, refused = sorted(replies, key=lambda reply: reply.status)
    assert made.status == 200
    assert refusal(refused) in (CONFLICT, EXPIRED)
    assert len(standing()) == 1
    money_is_right(desk)


# --- Lost answers, killed processes, stays that will not go -----------------------------------------------------------------
def test_a_lost_answer_is_looked_up_and_meanwhile_the_booking_says_so(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: MoveClock
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    supplier.loses.add("change")
    assert refusal(desk.change(booking, option, "lost-answer")) == SUPPLIER
    meanwhile = desk.read(booking["id"]).body
    assert (meanwhile["status"], meanwhile["checkIn"]) == ("confirmed", booking["checkIn"])
    assert meanwhile["changeUnderWay"]["changeId"] == option["changeId"]
    assert desk.balance()[1] == option["differenceCents"]
    assert refusal(desk.cancel(booking)) == CONFLICT
    assert refusal(desk.options(booking, checkOut=in_days(33))) == CONFLICT
    assert refusal(desk.change(booking, option)) == CONFLICT
    assert poll_suppliers() == 0
    move_clock(hours=2)
    assert poll_suppliers() == 0  # the old stay is cancelled, and yet the booking is not
    assert desk.change(booking, option, "lost-answer").body["checkIn"] == option["checkIn"]
    assert desk.read(booking["id"]).body["changeUnderWay"] is None
    assert supplier.asked["change"] == 1
    money_is_right(desk)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("cheaper", [False, True])
def test_a_process_that_dies_leaves_one_stay_that_is_paid_once(
    desk: FrontDesk,
    supplier: ScriptedHotels,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: MoveClock,
    pytestconfig: pytest.Config,
    point: str,
    cheaper: bool,
) -> None:
    for number in range(5 * int(pytestconfig.getoption("--chaos-runs")) or 1):
        booking = a_stay(desk, {**LISBON, "checkIn": 30, "checkOut": 34})
        option = option_of(desk, booking, checkIn=40, checkOut=41 if cheaper else 47)
        assert (option["differenceCents"] < 0) is cheaper
        with killed_at(point, supplier, monkeypatch):
            desk.change(booking, option, f"{point}-{number}")
        resolve(move_clock)
        after = desk.read(booking["id"]).body
        changed = point in (
            "between_the_stays",
            "before_the_answer",
            "before_it_is_written",
            "while_it_is_written",
        )
        assert (after["checkIn"] == option["checkIn"]) is changed
        assert (after["changeUnderWay"], after["status"]) == (None, "confirmed")
        assert after["supplier"]["reference"] in standing()
        assert len(standing()) == number + 1
        money_is_right(desk)
        assert [kind for kind, _ in events() if kind == "booking.changed"] == ["booking.changed"] * (
            (number + 1) * changed
        )
    assert alerts() == []
    assert supplier.asked["change"] <= number + 1


@pytest.mark.parametrize("lost", [False, True])
def test_of_an_old_stay_that_will_not_go_staff_are_alerted_and_one_stay_is_paid(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: MoveClock, lost: bool
) -> None:
    booking = a_stay(desk)
    option, old = option_of(desk, booking), booking["supplier"]["reference"]
    supplier.keeps_old_stays = True
    if lost:
        supplier.loses.add("change")
    assert desk.change(booking, option).status == (503 if lost else 200)
    resolve(move_clock)
    after = desk.read(booking["id"]).body
    assert (after["checkIn"], after["changeUnderWay"]) == (option["checkIn"], None)
    assert after["totalCents"] == booking["totalCents"] + option["differenceCents"]
    money_is_right(desk)
    told = SupplierAlert.objects.get()
    assert (told.kind, told.detail) == (
        "old_stay_stands",
        f"{booking['reference']}: {old} was replaced, and is still active",
    )
    # It is read with each poll, until a person has cancelled it.
    move_clock(hours=2)
    poll_suppliers()
    told.refresh_from_db()
    assert told.count >= 2
    supplier.call_off(old)
    move_clock(hours=2)
    assert poll_suppliers() == 0
    assert StayDetails.of(Booking.objects.get()).old_stays == ()
    count = SupplierAlert.objects.get().count
    move_clock(hours=2)
    poll_suppliers()
    assert SupplierAlert.objects.get().count == count
    assert desk.read(booking["id"]).body["status"] == "confirmed"
    money_is_right(desk)


def test_a_change_that_the_suppliers_people_queue_is_neither_repeated_nor_given_up(
    desk: FrontDesk, supplier: ScriptedHotels, move_clock: MoveClock
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    supplier.raises["change"] = lambda: Queued("queued")
    assert refusal(desk.change(booking, option)) == SUPPLIER
    for _ in range(30):
        move_clock(hours=1)
        recover_due()
    operation = Operation.objects.get(kind="change")
    assert (operation.state, desk.balance()[1]) == ("review", option["differenceCents"])
    assert desk.read(booking["id"]).body["changeUnderWay"] is not None
    assert "unresolved" in alerts()


def test_a_change_of_which_only_the_old_stays_end_is_seen_goes_to_staff(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch, move_clock: MoveClock
) -> None:
    booking = a_stay(desk)
    supplier.loses.add("change")
    desk.change(booking, option_of(desk, booking))
    monkeypatch.setattr(supplier, "find_change", lambda *asked: None)
    for _ in range(30):
        move_clock(hours=1)
        recover_due()
        assert poll_suppliers() == 0
    assert Operation.objects.get(kind="change").state == "review"
    assert desk.read(booking["id"]).body["status"] == "confirmed"


def test_a_change_that_is_carried_out_after_it_was_given_up_cancels_nothing(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch, move_clock: MoveClock
) -> None:
    booking = a_stay(desk)
    option = option_of(desk, booking)
    late: list[Any] = []

    def never_arrives(*asked: Any) -> Any:
        late.append(asked)
        raise OutcomeUnknown("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(supplier, "change", never_arrives)
        assert refusal(desk.change(booking, option)) == SUPPLIER
    resolve(move_clock)
    assert Operation.objects.get(kind="change").state == "failed"
    assert desk.read(booking["id"]).body["changeUnderWay"] is None
    money_is_right(desk)
    supplier.change(*late[0])
    move_clock(hours=2)
    assert poll_suppliers() == 0
    assert desk.read(booking["id"]).body["status"] == "confirmed"
    assert alerts() == ["unresolved"]


def test_a_poll_that_read_the_old_stay_does_not_touch_the_new_one(
    desk: FrontDesk, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch, move_clock: MoveClock
) -> None:
    """The change ends between the poll's reading and its writing."""
    booking = a_stay(desk)
    option = option_of(desk, booking)
    read = supplier.read_booking

    def change_meanwhile(*asked: Any) -> Any:
        monkeypatch.setattr(supplier, "read_booking", read)
        assert desk.change(booking, option).status == 200
        return read(*asked)

    monkeypatch.setattr(supplier, "read_booking", change_meanwhile)
    Booking.objects.update(next_news_at="2026-01-01T00:00Z")
    assert poll_suppliers() == 0
    after = desk.read(booking["id"]).body
    assert (after["status"], after["checkIn"]) == ("confirmed", option["checkIn"])
    money_is_right(desk)


def test_what_a_change_booked_is_no_orphan_and_what_it_left_is(
    live: Api, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = FrontDesk(live)
    booking = a_stay(desk)
    after = desk.change(booking, option_of(desk, booking)).body
    change = Operation.objects.get(kind="change")
    theirs = {change.client_ref: after["supplier"]["reference"]}
    monkeypatch.setattr(supplier, "standing", lambda *days: theirs)
    assert (report_orphans(), alerts()) == (0, [])
    theirs[booking["reference"]] = booking["supplier"]["reference"]
    assert (report_orphans(), alerts()) == (1, ["old_stay_stands"])
    Operation.objects.filter(pk=change.pk).update(state="failed")
    assert report_orphans() == 2
    assert sorted(alerts()) == ["old_stay_stands", "unresolved"]


# --- Whatever is chosen ------------------------------------------------------------------------------------------------------
CHOICES = st.tuples(
    st.integers(20, 90), st.integers(1, 6), st.integers(0, 2), st.sampled_from([90, 100, 105]), st.booleans()
)


@pytest.mark.django_db
@given(changes=st.lists(CHOICES, min_size=1, max_size=4))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_chosen_what_was_taken_is_what_it_costs_and_nothing_stays_held(
    supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch, changes: list[tuple[int, int, int, int, bool]]
) -> None:
    desk = FrontDesk(Api(onboard().test_secret))
    supplier.market = Market()
    booking = a_stay(desk)
    for days, nights, choice, percent, refused in changes:
        reply = desk.options(booking, checkIn=in_days(days), checkOut=in_days(days + nights))
        if reply.status != 200:
            break
        option = reply.body["options"][choice]
        supplier.market = Market(percent=percent)
        supplier.raises = {"change": Rejected} if refused else {}
        answer = desk.change(booking, option)
        supplier.market, supplier.raises = Market(), {}
        while settle_owed():
            pass
        total = desk.read(booking["id"]).body["totalCents"]
        assert desk.balance() == (BALANCE_CENTS - total, 0)
        if answer.status == 200:
            assert total <= booking["totalCents"] + option["differenceCents"]
            booking = answer.body
        else:
            assert total == booking["totalCents"]
    assert check_ledger() == []
