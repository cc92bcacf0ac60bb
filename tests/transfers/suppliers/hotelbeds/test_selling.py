"""Live keys and Hotelbeds, through the API: what is demanded, what is shown, what news do, what nobody writes down."""

import logging
from datetime import datetime

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.transfers.suppliers.hotelbeds.client import HotelbedsClient
from tests.suppliers.leaks import leaks
from tests.support.api import Api, Reply
from tests.support.supplier_stub import Trouble, refusal
from tests.transfers.agency import BALANCE_CENTS, LEAD, an_offer, cancel, money, order, read
from tests.transfers.suppliers.hotelbeds.conftest import SHORT
from tests.transfers.suppliers.hotelbeds.stub import BOOKINGS, KEY, SECRET

pytestmark = pytest.mark.django_db

FLIGHT = {"flightNumber": "TP1234"}


def refused(reply: Reply) -> tuple[int, str]:
    """The status and the field that is named."""
    assert reply.error_type == "invalid_request"
    return reply.status, reply.error["details"][0]["field"]


def test_steps_say_what_a_cancellation_then_costs(api, stub, later):
    offer = an_offer(api, "comfort")
    body = order(api, offer["quoteId"], **FLIGHT).body
    assert [step["penaltyCents"] for step in offer["cancellationSteps"]] == [944, 4720]
    assert body["cancellationSteps"] == [
        {**offer["cancellationSteps"][0], "from": body["createdAt"]},
        offer["cancellationSteps"][1],
    ]
    assert read(api, body["id"])["cancellationSteps"] == body["cancellationSteps"]
    begins = datetime.fromisoformat(body["cancellationSteps"][1]["from"])
    later((begins - clock.now()).total_seconds() + 1)
    assert read(api, body["id"])["cancellationSteps"] == body["cancellationSteps"][1:]
    ended = cancel(api, body["id"]).body
    assert (ended["cancellation"]["penaltyCents"], ended["cancellationSteps"]) == (4720, [])


def test_by_a_clock_that_nobody_knows_there_are_no_steps(api: Api) -> None:
    ends = {"from": {"type": "HOTEL", "code": "265"}, "to": {"type": "HOTEL", "code": "266"}}
    assert an_offer(api, **ends)["cancellationSteps"] is None


@pytest.mark.parametrize(("charge", "status"), [(0, "failed"), (10, "confirmed")])
def test_a_lost_order_that_they_cancelled_is_one_only_where_it_costs_something(
    api, partner, stub, later, charge, status
):
    """What it costs comes with the news of its end, as of any other order."""
    stub.trouble("POST", BOOKINGS, Trouble(end="reset"))
    assert order(api, an_offer(api)["quoteId"], **FLIGHT).status == 503
    (booking,) = stub.bookings.values()
    stub.call_off(booking["reference"])
    booking["totalAmount"] = charge
    for seconds in (31, 90, 480, 3_000, 3_600, 61):
        later(seconds)
        recover_due()
    assert Booking.objects.get().status == status
    settle_owed()
    later(86_401)
    poll_suppliers()
    assert money(partner, "live") == (BALANCE_CENTS - charge * 100, 0)
    assert check_ledger() == []


@pytest.mark.django_db(transaction=True)  # the alert is written by the thread of the call
def test_nothing_that_is_written_down_tells_credentials_or_travellers(api, stub, later, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    lead = {
        **LEAD,
        "firstName": "Zebedee",
        "lastName": "Quackenbush",
        "email": "quackenbush@example.com",
        "phone": "+351299887766",
    }
    traveller = {"leadPassenger": lead, "notes": "Beware of Mrs Featherstonehaugh", **FLIGHT}

    def an_attempt(trouble: Trouble | None = None) -> Reply:
        if trouble is not None:
            stub.trouble("POST", BOOKINGS, trouble)
        with monkeypatch.context() as patched:
            if trouble is not None and trouble.end == "hang":
                patched.setattr(HotelbedsClient, "to_book", SHORT)
            return order(api, an_offer(api)["quoteId"], **traveller)

    kept = an_attempt()
    assert kept.status == 201
    answers = [
        an_attempt(trouble)
        for trouble in (
            Trouble(end="hang"),
            Trouble(end="reset"),
            Trouble(status=200, body={"holder": {"surname": "Quackenbush"}}),
            refusal(400, {"code": "E_REQUEST_INVALID", "message": "surname Quackenbush"}),
            refusal(500, {"message": "phone +351299887766"}),
            refusal(401, {"error": f"unknown key {KEY}, Quackenbush"}),
        )
    ]
    assert [reply.status for reply in answers] == [503, 503, 503, 502, 503, 503]
    stub.surcharge += 1
    assert an_attempt().status == 201  # staff are told of its price
    later(31)
    recover_due()
    answers.append(cancel(api, kept.body["id"], {"maxPenaltyCents": -1}))
    assert cancel(api, kept.body["id"]).status == 200
    travellers = ["Zebedee", "Quackenbush", "quackenbush@example.com", "+351299887766", "Featherstonehaugh"]
    assert (
        leaks(
            credentials=[KEY, SECRET],
            travellers=travellers,
            logs=caplog.text,
            answers=[reply.content for reply in answers],
        )
        == []
    )
