"""The faults dial, on the way of a call: what is refused, what is lost, what comes late, and that nothing else is touched."""

import json
import time
from typing import Any

import pytest

from apps.accounts.faults import Faults
from apps.accounts.models import Sandbox
from apps.bookings.models import Booking
from apps.gateway import faults as dial
from apps.keys.scopes import GRANTABLE
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Wallet
from tests.contract.goods import Goods
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api, Reply

pytestmark = pytest.mark.django_db

SEARCH = "/v1/flights/searches"


@pytest.fixture
def goods() -> Goods:
    return Goods(
        api_of_new_partner(cents=100_000_000, account=AccountFactory(rate_booking=10_000), scopes=GRANTABLE)
    )


@pytest.fixture
def api(goods: Goods) -> Api:
    return goods.api


def dialled(api: Api, **faults: Any) -> None:
    reply = api.send("PUT", "/sandbox/faults", faults)
    assert reply.status == 200, reply.body


def fault_of(reply: Reply) -> str:
    return reply.headers.get("X-Sandbox-Fault", "")


def wallet() -> tuple[int, int]:
    return Wallet.objects.values_list("balance_cents", "held_cents").get()


def test_a_refused_booking_says_that_it_was_the_dial_and_leaves_nothing_behind(goods: Goods, api: Api):
    goods.request("createHotelBooking")
    before = wallet()
    dialled(api, errorShare=1)

    refused = goods.call("createHotelBooking")

    assert (refused.status, refused.error_type, fault_of(refused)) == (502, "upstream_error", "error")
    assert refused.error["message"].endswith("The faults dial of the sandbox made it so.")
    assert "X-Sandbox-Trigger" not in refused.headers
    assert (wallet(), [booking.status for booking in Booking.objects.all()]) == (before, ["failed"])


def test_a_retry_with_the_same_key_is_a_new_draw_and_books_once(goods: Goods, api: Api):
    goods.request("createHotelBooking")
    dialled(api, errorShare=0.5, seed=3)
    assert [Faults(error_share=5_000, seed=3).of_call(number) for number in (1, 2)] == ["error", ""]

    first, second = (goods.call("createHotelBooking", Idempotency_Key="tried-again") for _ in range(2))

    assert (first.status, second.status) == (502, 201)
    assert Booking.objects.filter(status="confirmed").count() == 1


def test_a_lost_booking_stands_and_its_repetition_is_answered(goods: Goods, api: Api):
    goods.request("createHotelBooking")
    dialled(api, lostAnswerShare=1)

    lost = goods.call("createHotelBooking", Idempotency_Key="lost-and-found")
    again = goods.call("createHotelBooking", Idempotency_Key="lost-and-found")

    assert (lost.status, fault_of(lost)) == (201, "lost_answer")
    assert (again.status, again.headers["Idempotent-Replayed"], fault_of(again)) == (201, "true", "")
    assert [(one.id, one.status) for one in Booking.objects.all()] == [(again.body["id"], "confirmed")]


def test_a_lost_search_is_billed_once(goods: Goods, api: Api):
    dialled(api, lostAnswerShare=1)
    lost = goods.call("searchFlights", Idempotency_Key="lost-search")
    again = goods.call("searchFlights", Idempotency_Key="lost-search")

    assert (fault_of(lost), again.status, fault_of(again)) == ("lost_answer", 201, "")
    used = [int(reply.headers["X-Search-Quota-Remaining"]) for reply in (lost, again)]
    assert used[0] == used[1]


def test_a_lost_answer_ends_after_its_first_byte(api: Api):
    dialled(api, lostAnswerShare=1)
    response = Goods(api).api.client.generic(
        "POST",
        "/v1/flights/searches",
        json.dumps(Goods(api).body("searchFlights")),
        content_type="application/json",
        headers={"Authorization": f"Bearer {api.secret}", "Idempotency-Key": "cut-off-answer"},
    )

    assert (response.status_code, int(response["Content-Length"]) > 100) == (201, True)
    body = iter(response)
    assert next(body) == b"{"
    with pytest.raises(ConnectionAbortedError):
        next(body)


@pytest.mark.parametrize(
    "operation_id", ["getAccount", "createWebhookEndpoint", "getHotelRate", "repriceFlightOffer"]
)
def test_reads_and_what_reaches_no_supplier_are_left_alone(goods: Goods, api: Api, operation_id: str):
    goods.request(operation_id)
    dialled(api, errorShare=0.5, lostAnswerShare=0.5)

    reply = goods.call(operation_id)

    assert reply.status in {200, 201}
    assert (fault_of(reply), Sandbox.objects.get().calls_drawn) == ("", 0)


def test_a_call_that_is_refused_before_its_operation_takes_no_number(api: Api):
    dialled(api, errorShare=1)

    assert api.post(SEARCH, {"origin": "LIS"}).status == 400
    assert Sandbox.objects.get().calls_drawn == 0


def test_a_trigger_goes_before_the_dial(goods: Goods, api: Api):
    goods.request("createHotelBooking")
    dialled(api, errorShare=1)

    reply = goods.call("createHotelBooking", X_Partner_Customer_Ref="sbx_insufficient_funds")

    assert (reply.status, fault_of(reply)) == (402, "")
    assert reply.headers["X-Sandbox-Trigger"] == "sbx_insufficient_funds"
    assert Sandbox.objects.get().calls_drawn == 0


def test_answers_come_late_and_say_so(api: Api, monkeypatch: pytest.MonkeyPatch):
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    dialled(api, latencyMs=250)

    assert fault_of(api.get("/v1/account")) == "latency"
    assert fault_of(api.get("/v1/flights/orders/unknown")) == "latency"
    assert fault_of(api.get("/sandbox/faults")) == ""
    assert slept == [0.25, 0.25]


@pytest.mark.parametrize(("threads", "others_may"), [(1, False), (3, False), (4, True), (7, True)])
def test_however_few_threads_there_are_one_answer_may_wait(settings: Any, threads: int, others_may: bool):
    settings.WEB_THREADS = threads
    with dial.place("a") as first, dial.place("a") as second, dial.place("b") as of_another:
        assert (first, second, of_another) == (True, False, others_may)


def test_live_keys_have_none(goods: Goods):
    live = Goods(api_of_new_partner(cents=1_000_000, environment="live"))
    account_id = partner_of(live.api).account_id
    Sandbox.objects.create(
        account_id=account_id,
        owner_id=account_id,
        name="Sandbox",
        is_first=True,
        faults={"error_share": 10_000},
    )

    assert live.call("searchHotels").status == 201


def series(goods: Goods, run: str, **faults: Any) -> list[str]:
    """What the dial did to each call of sixty orders of one quote, each called until it was answered 201."""
    dialled(goods.api, **faults)
    happened = []
    for number in range(60):
        key = f"{run}-booking-{number}"
        for _ in range(50):
            reply = goods.call("createTransferOrder", Idempotency_Key=key)
            happened.append(fault_of(reply))
            if reply.status == 201 and fault_of(reply) != "lost_answer":
                break
    return happened


@pytest.mark.slow
def test_some_hundred_calls_are_refused_and_lost_by_seed_and_every_cent_is_right(goods: Goods, api: Api):
    goods.request("createTransferOrder")
    wanted = Faults(error_share=2_000, lost_answer_share=2_000, seed=7)
    first, second, other = (
        series(goods, run, errorShare=0.2, lostAnswerShare=0.2, seed=seed)
        for run, seed in (("first", 7), ("second", 7), ("other", 8))
    )

    assert first == second
    assert set(first) == {"", "error", "lost_answer"}
    assert first[:20] != other[:20]
    drawn = [name for name in first if name]
    by_number = [wanted.of_call(number) for number in range(1, Sandbox.objects.get().calls_drawn + 200)]
    assert drawn == [name for name in by_number if name][: len(drawn)]
    booked = Booking.objects.filter(status="confirmed")
    assert booked.count() == 180
    assert Booking.objects.exclude(status__in=("confirmed", "failed")).count() == 0
    assert check_ledger() == []
    assert wallet()[1] == sum(booked.values_list("total_cents", flat=True))
