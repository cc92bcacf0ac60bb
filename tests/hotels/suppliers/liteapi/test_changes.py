"""LiteAPI books the new stay first and cancels the old one then: whatever is lost or fails, one stay is paid and none is lost."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.hotels.services.orphans import report_orphans
from apps.ledger.consistency import check_ledger
from apps.suppliers.models import SupplierAlert
from tests.hotels.conftest import BALANCE_CENTS
from tests.hotels.front_desk import ADA, CHARLES, LISBON, FrontDesk, faults, in_days
from tests.hotels.suppliers.liteapi.stub import (
    ALTERNATIVES,
    CANCEL,
    LIST,
    READ,
    REBOOK,
    LiteApiStub,
    refused,
)
from tests.support.api import Reply
from tests.support.forgotten import forget_suppliers
from tests.support.invariants import violations
from tests.support.supplier_stub import Trouble

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_pauses")]
MoveClock = Callable[..., None]
UNKNOWN, CONFLICT, EXPIRED = (503, "upstream_unavailable"), (409, "conflict"), (410, "offer_expired")


def refusal(reply: Reply) -> tuple[int, str | None]:
    return reply.status, reply.error_type


@pytest.fixture
def booking(desk: FrontDesk) -> dict[str, Any]:
    rate = desk.rate({**LISBON, "checkIn": in_days(30), "checkOut": in_days(32)})
    return desk.booked(rate, guests=[ADA, CHARLES], specialRequests="A quiet room, please.")


@pytest.fixture
def option(desk: FrontDesk, booking: dict[str, Any]) -> dict[str, Any]:
    """Three nights that may be cancelled: they cost more."""
    options = desk.options_of(booking, checkIn=in_days(40), checkOut=in_days(43))
    return next(option for option in options if option["refundable"])


def resolve(move_clock: MoveClock) -> None:
    for seconds in (11, 60, 300, 900, 3_700, 3_700):
        move_clock(seconds=seconds)
        forget_suppliers()  # breakers go by the clock on the wall
        recover_due()


def alerts() -> list[str]:
    return sorted(SupplierAlert.objects.values_list("kind", flat=True))


def standing(stub: LiteApiStub) -> list[str]:
    return [key for key, one in stub.books.bookings.items() if one["status"] == "CONFIRMED"]


def is_in_order(desk: FrontDesk, stub: LiteApiStub) -> None:
    settle_owed()
    total = Booking.objects.get().total_cents
    assert desk.balance() == (BALANCE_CENTS - total, 0)
    assert check_ledger() == []
    assert violations(stub.store()) == []


def test_a_change_is_one_rebook_with_our_reference_and_the_guests_of_the_booking(
    desk: FrontDesk, stub: LiteApiStub, booking: dict[str, Any], option: dict[str, Any]
) -> None:
    reply = desk.change(booking, option)
    (sent,) = stub.heard_by(*REBOOK)
    operation = Operation.objects.get(kind="change")
    old, new = booking["supplier"]["reference"], reply.body["supplier"]["reference"]
    assert (reply.status, standing(stub)) == (200, [new])
    assert {name: sent.json[name] for name in ("existingBookingId", "clientReference", "payment")} == {
        "existingBookingId": old,
        "clientReference": operation.client_ref,
        "payment": {"method": "NONE"},
    }
    assert sent.json["holder"]["firstName"] == "Ada"
    assert sent.json["guests"][0]["remarks"] == "A quiet room, please."
    assert (reply.body["checkIn"], reply.body["checkOut"]) == (in_days(40), in_days(43))
    assert reply.body["totalCents"] == booking["totalCents"] + option["differenceCents"]
    assert option["differenceCents"] == option["totalCents"] - booking["totalCents"]
    assert reply.body["externalReference"] == booking["externalReference"]
    is_in_order(desk, stub)
    assert desk.cancel(reply.body).status == 200
    assert (standing(stub), stub.heard_by(*CANCEL)[0].path.rpartition("/")[2]) == ([], new)


def test_what_is_not_an_alternative_of_the_stay_is_counted(
    desk: FrontDesk, stub: LiteApiStub, booking: dict[str, Any]
) -> None:
    dates = {"checkIn": in_days(40), "checkOut": in_days(43)}
    made = stub.books.alternatives

    def odd(*asked: Any) -> Any:
        found = made(*asked)["data"]
        other = {**found[0], "checkin": in_days(41)}
        return {"data": [*found, other, {**found[0], "paymentTypes": ["PROPERTY_PAY"]}, {}, None]}

    stub.books.alternatives = odd  # type: ignore[method-assign]
    reply = desk.options(booking, **dates)
    assert (len(reply.body["options"]), reply.body["withheld"]["unsupported"]) == (2, 1)
    assert reply.body["withheld"]["unreadable"] == 3


@pytest.mark.parametrize(
    ("trouble", "answer"),
    [
        (refused(1008, 404), (200, None)),
        (refused(1000, 404), CONFLICT),
        (refused(500, 500), UNKNOWN),
        (refused(4290, 429, times=9), UNKNOWN),
        (refused(400, told="children is invalid"), (400, "invalid_request")),
        (refused(400, told="invalid checkin or checkout"), (400, "invalid_request")),
        (refused(400, told="invalid board type"), (502, "upstream_error")),
        (Trouble(end="reset"), UNKNOWN),
    ],
)
def test_refusals_of_alternatives(
    desk: FrontDesk, stub: LiteApiStub, booking: dict[str, Any], trouble: Trouble, answer: Any
) -> None:
    stub.trouble(*_of(ALTERNATIVES, booking), trouble)
    reply = desk.options(booking, checkOut=in_days(33))
    assert refusal(reply) == answer
    assert reply.status != 200 or reply.body["options"] == []
    assert reply.status != 400 or faults(reply) == ["rooms" if "children" in str(trouble.body) else "checkIn"]


def _of(route: tuple[str, str], booking: dict[str, Any]) -> tuple[str, str]:
    return route[0], route[1].replace("{booking}", booking["supplier"]["reference"])


@pytest.mark.parametrize(
    ("trouble", "answer"),
    [
        (refused(4000, told="prebook not found"), EXPIRED),
        (refused(4000, told="rebooking is not allowed for this offer"), CONFLICT),
        (refused(4002, told="request body validation: holder is required"), (502, "upstream_error")),
        (refused(4002, told="invalid prebookId"), EXPIRED),
        (refused(2013), (502, "upstream_error")),
        (refused(418, 418), (502, "upstream_error")),
        (refused(401, 401), UNKNOWN),
    ],
)
def test_a_certain_refusal_leaves_the_stay_and_the_money_as_they_were(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    trouble: Trouble,
    answer: tuple[int, str],
) -> None:
    stub.trouble(*REBOOK, trouble)
    assert refusal(desk.change(booking, option)) == answer
    after = desk.read(booking["id"]).body
    assert {**after, "updatedAt": ""} == {**booking, "updatedAt": ""}
    assert standing(stub) == [booking["supplier"]["reference"]]
    is_in_order(desk, stub)


def test_a_dearer_alternative_is_refused_before_they_are_asked_to_rebook(
    desk: FrontDesk, stub: LiteApiStub, booking: dict[str, Any], option: dict[str, Any]
) -> None:
    stub.books.percent = 110
    assert refusal(desk.change(booking, option)) == (409, "price_changed")
    assert stub.heard_by(*REBOOK) == []
    stub.books.percent, stub.books.sold_out = 100, True
    assert refusal(desk.change(booking, option)) == EXPIRED
    is_in_order(desk, stub)


LOST = [
    Trouble(end="reset"),
    Trouble(end="half"),
    Trouble(status=504, body="<html>"),
    Trouble(status=500, body={"error": {"code": 5000, "message": "rebook request creation failed"}}),
    Trouble(status=409, body={"error": {"code": 4009, "message": "rebooking is already completed"}}),
    Trouble(status=400, body={"error": {"code": 4005, "message": "clientReference already used"}}),
    Trouble(status=400, body={"error": {"code": 2013, "message": "unsuccessful"}}),
    Trouble(status=200, body={"data": {}}),
    Trouble(status=200, body={"data": {"bookingId": 7}}),
    Trouble(status=200, body=[]),
]


@pytest.mark.parametrize("keeps_old", [False, True])
@pytest.mark.parametrize("trouble", LOST)
def test_a_lost_answer_is_looked_up_and_never_repeated(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    move_clock: MoveClock,
    trouble: Trouble,
    keeps_old: bool,
) -> None:
    stub.books.keeps_old = keeps_old
    stub.trouble(*REBOOK, trouble)
    assert desk.change(booking, option).status in (200, 503)
    resolve(move_clock)
    after = desk.read(booking["id"]).body
    assert (after["checkIn"], after["changeUnderWay"]) == (option["checkIn"], None)
    assert after["totalCents"] == booking["totalCents"] + option["differenceCents"]
    assert len(stub.heard_by(*REBOOK)) == 1
    assert len(standing(stub)) == 1 + keeps_old
    assert ("old_stay_stands" in alerts()) is keeps_old
    is_in_order(desk, stub)


@pytest.mark.parametrize("call", [READ, LIST])
def test_where_the_stays_cannot_be_read_after_it_they_are_read_later(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    move_clock: MoveClock,
    call: tuple[str, str],
) -> None:
    read = stub.books.booking
    left = [True] * 6

    def fails_after_the_change(booking_id: str) -> Any:
        if stub.books.rebooked and left:
            left.pop()
            raise RuntimeError
        return read(booking_id)

    stub.books.booking = fails_after_the_change  # type: ignore[method-assign]
    if call == LIST:
        stub.trouble(*LIST, Trouble(end="reset", times=6))
    assert refusal(desk.change(booking, option)) == UNKNOWN
    assert desk.read(booking["id"]).body["changeUnderWay"] is not None
    resolve(move_clock)
    assert desk.read(booking["id"]).body["checkIn"] == option["checkIn"]
    is_in_order(desk, stub)


def test_a_change_that_never_arrived_is_given_up_and_one_that_lacks_our_reference_is_found(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    move_clock: MoveClock,
) -> None:
    stub.trouble(*REBOOK, Trouble(accept=False, end="reset"))
    assert refusal(desk.change(booking, option)) == UNKNOWN
    resolve(move_clock)
    after = desk.read(booking["id"]).body
    assert (after["changeUnderWay"], after["checkIn"]) == (None, booking["checkIn"])
    is_in_order(desk, stub)
    options = desk.options_of(booking, checkIn=in_days(40), checkOut=in_days(43))
    stub.trouble(*REBOOK, Trouble(end="reset"))
    assert refusal(desk.change(booking, options[-1])) == UNKNOWN
    (new,) = standing(stub)
    ours = stub.books.bookings[new]["clientReference"]
    stub.books.bookings[new].update(clientReference="", createdAt=clock.now().strftime("%Y-%m-%dT%H:%M:%S"))
    resolve(move_clock)
    assert desk.read(booking["id"]).body["supplier"]["reference"] == new
    stub.books.bookings[new]["clientReference"] = ours
    is_in_order(desk, stub)


def test_a_queued_change_keeps_its_hold_and_waits_for_staff(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    move_clock: MoveClock,
) -> None:
    stub.books.queues = True
    assert refusal(desk.change(booking, option)) == UNKNOWN
    assert alerts() == ["unresolved"]
    for _ in range(30):
        move_clock(hours=1)
        recover_due()
    assert Operation.objects.get(kind="change").state == "review"
    assert desk.balance()[1] == option["differenceCents"]
    assert len(stub.heard_by(*REBOOK)) == 1


def test_a_fee_of_theirs_above_the_quote_is_not_the_partners(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stub.books, "fee", lambda booking_id: Decimal(5))
    stub.books.overcharge = Decimal(3)
    after = desk.change(booking, option).body
    assert after["totalCents"] == booking["totalCents"] + option["differenceCents"]
    assert alerts() == ["price_above_quote", "price_above_quote"]
    is_in_order(desk, stub)


def test_polls_webhooks_and_the_nightly_list_follow_the_new_stay(
    desk: FrontDesk,
    stub: LiteApiStub,
    booking: dict[str, Any],
    option: dict[str, Any],
    move_clock: MoveClock,
    client: Any,
) -> None:
    stub.trouble(*REBOOK, Trouble(end="reset"))
    assert refusal(desk.change(booking, option)) == UNKNOWN
    (new,) = standing(stub)
    event = stub.event("booking.rebook.rfn", new, "evt-1")
    headers = {"authorization": "stub-webhook-token-Zq82"}
    client.post("/suppliers/liteapi/webhooks", event, content_type="application/json", headers=headers)
    follow_hints()
    assert recover_due() == 1
    assert desk.read(booking["id"]).body["supplier"]["reference"] == new
    assert report_orphans() == 0
    stub.books.bookings[new]["hotelConfirmationCode"] = "H-4711"
    move_clock(hours=30)
    poll_suppliers()
    assert desk.read(booking["id"]).body["confirmationCode"] == "H-4711"
    stub.books.bookings[booking["supplier"]["reference"]]["status"] = "CONFIRMED"
    assert report_orphans() == 1
    assert alerts() == ["old_stay_stands"]
    assert clock.now() - timedelta(hours=30) > Booking.objects.get().created_at
