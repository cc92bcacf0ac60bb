"""Another holder at LiteAPI: a request that their people work on, which nothing but the booking's holder ever answers."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.bookings.flow.polling import has_ended, poll_suppliers
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking
from apps.hotels.models import CorrectionRequest
from apps.hotels.suppliers.base import NameCorrection
from apps.hotels.suppliers.liteapi.mapping import has_name
from apps.suppliers.models import SupplierAlert
from tests.hotels.front_desk import OTHER_NAME, FrontDesk
from tests.hotels.suppliers.liteapi.stub import AMEND, LiteApiStub, refused
from tests.hotels.suppliers.liteapi.test_webhooks import send
from tests.support.supplier_stub import Trouble

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_pauses")]


def state(desk: FrontDesk, booking: dict[str, Any]) -> tuple[str | None, str]:
    shown = desk.read(booking["id"]).body
    return shown["correction"] and shown["correction"]["status"], shown["guests"][0]["lastName"]


def polled(booking: dict[str, Any]) -> None:
    has_ended(Booking.objects.get(pk=booking["id"]))


def test_the_holder_is_asked_for_and_read_until_it_has_the_name(desk: FrontDesk, stub: LiteApiStub) -> None:
    booking = desk.booked()
    asked = desk.correct(booking)
    assert (asked.status, asked.body["correction"]["status"]) == (202, "requested")
    assert [heard.json for heard in stub.heard_by(*AMEND)] == [
        {
            "holder": {
                "firstName": "Ada",
                "lastName": "Byron",
                "email": "ada@example.com",
                "phone": "+351210000000",
            }
        }
    ]
    polled(booking)
    assert state(desk, booking) == ("requested", "Lovelace")
    stub.books.work_on_amendments()
    polled(booking)
    assert state(desk, booking) == ("done", "Byron")
    assert len(stub.heard_by(*AMEND)) == 1


def test_their_webhook_has_the_holder_read_at_once(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None]
) -> None:
    booking = desk.booked()
    desk.correct(booking)
    stub.books.work_on_amendments()
    poll_suppliers()
    assert state(desk, booking)[0] == "requested"  # not due yet
    assert send(stub, "booking.amendment", booking["supplier"]["reference"]) == 200
    follow_hints()
    poll_suppliers()
    assert state(desk, booking) == ("done", "Byron")


LOST: dict[str, Trouble] = {
    "after it was taken": Trouble(end="reset"),
    "before it was taken": Trouble(accept=False, end="reset"),
    "a gateway's page": Trouble(status=502),
    "their own fault": refused(500, 500),
    "an error inside a 200": refused(7777, 200),
}


@pytest.mark.parametrize("trouble", LOST.values(), ids=LOST)
def test_after_a_lost_answer_it_is_never_sent_again(
    desk: FrontDesk, stub: LiteApiStub, move_clock: Callable[..., None], trouble: Trouble
) -> None:
    booking = desk.booked()
    stub.trouble(*AMEND, trouble)
    assert desk.correct(booking, "correction-1").status == 202
    assert desk.correct(booking, "correction-1").headers["Idempotent-Replayed"] == "true"
    assert CorrectionRequest.objects.get().is_certain is False
    for _ in range(49):
        move_clock(hours=1)
        poll_suppliers()
    assert len(stub.heard_by(*AMEND)) == 1
    taken = len(stub.books.amendments) == 1
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == ["correction_open"]
    stub.books.work_on_amendments()
    polled(booking)
    assert state(desk, booking) == (("done", "Byron") if taken else ("requested", "Lovelace"))


REFUSALS: dict[str, tuple[Trouble, int, str, list[str]]] = {
    "malformed": (refused(400), 502, "upstream_error", ["request_refused"]),
    "unknown to them": (refused(404, 404), 404, "not_found", []),
    "another refusal": (refused(4999, 409), 502, "upstream_error", []),
    "a bad key": (refused(401, 401), 503, "upstream_unavailable", ["credentials_refused"]),
    "throttled": (refused(4290, 429), 503, "upstream_unavailable", []),
}


@pytest.mark.django_db(transaction=True)  # the call's own thread writes the alerts
@pytest.mark.parametrize(("trouble", "status", "kind", "alerts"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_leaves_no_correction(
    desk: FrontDesk, stub: LiteApiStub, trouble: Trouble, status: int, kind: str, alerts: list[str]
) -> None:
    booking = desk.booked()
    stub.trouble(*AMEND, trouble)
    reply = desk.correct(booking)
    assert (reply.status, reply.error_type) == (status, kind)
    assert state(desk, booking) == (None, "Lovelace")
    assert list(SupplierAlert.objects.values_list("kind", flat=True)) == alerts
    assert (desk.correct(booking).status, len(stub.books.amendments)) == (202, 1)


def test_what_their_documents_demand_of_the_request(desk: FrontDesk, stub: LiteApiStub) -> None:
    """The stand-in refuses what they refuse."""
    booking = desk.booked()
    reference = booking["supplier"]["reference"]
    for body in ({}, {"holder": {}}, {"holder": {"firstName": "Ada", "lastName": "Byron"}}):
        answer = stub.books.amend
        with pytest.raises(Exception, match="Missing"):
            answer(reference, body)
    assert desk.correct(booking, body={**OTHER_NAME, "lastName": "Śliwiński"}).status == 202


NAMES = [
    (("Ada", "Byron"), True),
    (("ADA", "BYRON"), True),
    ((" Ada", "Byron "), True),
    (("Adá", "Byron"), True),
    (("", "Ada Byron"), True),
    (("Ada", "Lovelace"), False),
    (("Ada", "Byron King"), False),
    ((None, None), False),
    ((7, []), False),
]


@pytest.mark.parametrize(("told", "has_it"), NAMES)
def test_which_holder_has_the_name(told: tuple[Any, Any], has_it: bool) -> None:
    wanted = NameCorrection("Ada", "Byron", "Ada", "Lovelace", "", "")
    holder = {"firstName": told[0], "lastName": told[1]}
    assert has_name({"holder": holder}, wanted) is has_it


@pytest.mark.parametrize("booking", [{}, {"holder": None}, {"holder": "Ada Byron"}, {"holder": []}])
def test_a_booking_without_a_holder_has_no_name(booking: dict[str, Any]) -> None:
    assert not has_name(booking, NameCorrection("Ada", "Byron", "Ada", "Lovelace", "", ""))


@pytest.mark.parametrize(
    ("booked", "wanted"),
    [
        (("Jose", "Nunez"), ("José", "Núñez")),
        (("ADA", "Byron"), ("Ada", "Byron")),
        (("Ana Maria", "Lopez"), ("Ana", "Maria Lopez")),
    ],
)
def test_where_accents_capitals_or_the_split_are_what_is_wrong_they_count(
    booked: tuple[str, str], wanted: tuple[str, str]
) -> None:
    correction = NameCorrection(*wanted, *booked, "", "")
    assert not has_name({"holder": {"firstName": booked[0], "lastName": booked[1]}}, correction)
    assert has_name({"holder": {"firstName": wanted[0], "lastName": wanted[1]}}, correction)


def test_vowel_signs_are_letters() -> None:
    wanted = NameCorrection("Rani", "किरण", "Rani", "अनिल", "", "")
    assert has_name({"holder": {"firstName": "RANI", "lastName": "किरण"}}, wanted)
    assert not has_name({"holder": {"firstName": "RANI", "lastName": "करण"}}, wanted)
