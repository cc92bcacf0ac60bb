"""A reset while calls run: each of them ends as a refused or as a finished one, never half."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.db.models import F

from apps.accounts.models import Sandbox
from apps.accounts.sandboxes import sandboxes_of
from apps.bookings.models import Booking, Operation, OperationState
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.keys.models import ApiKey, KeySecret
from apps.keys.scopes import GRANTABLE
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold, LedgerTransaction
from apps.onboarding import sandboxes
from apps.onboarding.sandboxes import open_sandbox, reset_sandbox
from apps.sandbox import views
from apps.webhooks.models import UNFINISHED, Delivery, Endpoint, Event
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop, day, order_body
from tests.support.locks import until_somebody_waits
from tests.support.threads import all_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("noon")]

LIMITLESS = {"rate_search": 10**6, "rate_booking": 10**6, "rate_read": 10**6}
WRITERS, ROUNDS, RESETS = 4, 4, 6
GONE = {404, 409, 410}
"""How a call is refused that names something of before the reset, or meets the reset itself."""


def bookings_of(api: Api) -> list[Reply]:
    """Orders and cancels one flight after the other, and reads what there is."""
    said: list[Reply] = []
    for _ in range(ROUNDS):
        search = FlightShop(api).ask(
            {"origin": "LIS", "destination": "BER", "departureDate": day(60).isoformat()}
        )
        said.append(search)
        if search.status != 201:
            continue
        order = api.post("/v1/flights/orders", order_body(search.body["offers"][0]))
        said.append(order)
        if order.status == 201:
            said.append(api.post(f"/v1/flights/orders/{order.body['id']}/cancel"))
        said += [api.get("/v1/flights/orders"), api.get("/v1/account/ledger"), api.get("/v1/account")]
    return said


def resets_of(api: Api) -> list[Reply]:
    return [api.post("/sandbox/reset") for _ in range(RESETS)]


def test_calls_under_way_are_refused_or_finished_and_nothing_of_them_is_seen_afterwards():
    account = WalletFactory(account=AccountFactory(**LIMITLESS), cents=1_000_000).account
    apis = [Api(issued_key(account, scopes=GRANTABLE)[1]) for _ in range(WRITERS + 1)]
    hook = {"url": "https://partner.example/hooks", "events": ["booking.confirmed", "booking.cancelled"]}
    assert apis[0].post("/v1/webhooks/endpoints", hook).status == 201

    *booked, reset = all_at_once(
        [*(lambda api=api: bookings_of(api) for api in apis[1:]), lambda: resets_of(apis[0])]
    )

    assert [answer.status for answer in reset] == [200] * RESETS
    said = [answer for each in booked for answer in each]
    assert {answer.status for answer in said} - GONE == {200, 201}, [a.body for a in said if a.status >= 400]
    made = {a.body["id"] for a in said if a.status == 201 and str(a.body["id"]).startswith("ford_")}
    assert made
    assert made == set(Booking.objects.exclude(status="failed").values_list("pk", flat=True))

    assert check_ledger() == []
    assert not Hold.objects.filter(status="open").exists()
    final = [OperationState.CONFIRMED, OperationState.FAILED]
    assert not Operation.objects.exclude(state__in=final).exists()
    accounts = dict(Booking.objects.values_list("reference", "account"))
    lines = LedgerTransaction.objects.exclude(booking_reference=None)
    for found in (lines, Event.objects.exclude(booking_reference="")):
        told = set(found.values_list("booking_reference", "account"))
        assert told
        assert told <= set(accounts.items())

    [sandbox] = sandboxes_of(account.pk)
    assert Sandbox.objects.filter(owner=account).count() == RESETS + 1
    assert set(ApiKey.objects.values_list("account", flat=True)) == {sandbox.account_id}
    assert Endpoint.objects.get().account_id == sandbox.account_id
    unsent = Delivery.objects.filter(status__in=UNFINISHED, account=F("endpoint__account"))
    assert set(unsent.values_list("account", flat=True)) <= {sandbox.account_id}

    assert apis[0].post("/sandbox/reset").status == 200
    for path in ("/v1/flights/orders", "/v1/webhooks/deliveries", "/v1/account/usage"):
        assert apis[1].get(path).body["data"] == []
    assert [line["type"] for line in apis[1].get("/v1/account/ledger").body["data"]] == ["top_up"]
    assert [each["url"] for each in apis[1].get("/v1/webhooks/endpoints").body["data"]] == [hook["url"]]


def test_of_several_resets_at_once_one_happens_and_the_others_are_refused():
    account = AccountFactory(**LIMITLESS)
    apis = [Api(issued_key(account)[1]) for _ in range(4)]

    answers = all_at_once([lambda api=api: api.post("/sandbox/reset") for api in apis])

    done = [answer.status for answer in answers].count(200)
    assert {answer.status for answer in answers} <= {200, 409}
    assert done >= 1
    assert Sandbox.objects.filter(owner=account, retired_at__isnull=False).count() == done
    assert Sandbox.objects.filter(owner=account, retired_at=None).count() == 1
    assert [api.get("/v1/account").status for api in apis] == [200] * 4


def test_a_booking_that_the_reset_overtakes_is_finished_where_it_began(monkeypatch):
    account = WalletFactory(account=AccountFactory(**LIMITLESS), cents=1_000_000).account
    api, other = (Api(issued_key(account, scopes=GRANTABLE)[1]) for _ in range(2))
    hook = {"url": "https://partner.example/hooks", "events": ["booking.confirmed"]}
    assert api.post("/v1/webhooks/endpoints", hook).status == 201
    offer = FlightShop(api).offer()
    asked = FlightSimulator.book

    def overtaken(self, *args, **named):
        [reset] = all_at_once([lambda: other.post("/sandbox/reset")])
        assert reset.status == 200
        return asked(self, *args, **named)

    monkeypatch.setattr(FlightSimulator, "book", overtaken)
    order = api.post("/v1/flights/orders", order_body(offer))
    monkeypatch.undo()

    assert (order.status, order.body["status"]) == (201, "ticketed")
    booking = Booking.objects.get()
    assert (booking.account_id, booking.status) == (account.pk, "ticketed")
    assert Hold.objects.get().status == "captured"
    assert Event.objects.get().account_id == account.pk
    assert not Delivery.objects.exists()
    assert api.get(f"/v1/flights/orders/{booking.pk}").status == 404
    assert api.get("/v1/account").body["balance"]["availableCents"] == 1_000_000
    assert check_ledger() == []


def test_a_parallel_copy_of_a_reset_is_in_progress_and_then_replays_it(monkeypatch):
    account = AccountFactory(**LIMITLESS)
    api = Api(issued_key(account)[1])
    reset_json, begun, commits = views.reset_json, threading.Event(), threading.Event()

    def before_the_commit(sandbox: Sandbox) -> dict[str, object]:
        begun.set()
        assert commits.wait(timeout=60)
        return reset_json(sandbox)

    def reset() -> Reply:
        try:
            return api.post("/sandbox/reset", key="the-same-key")
        finally:
            connection.close()

    monkeypatch.setattr(views, "reset_json", before_the_commit)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(reset)
        assert begun.wait(timeout=60)
        copy = pool.submit(reset)
        until_somebody_waits()
        commits.set()
        assert first.result().status == 200
        refused = copy.result()

    assert (refused.status, refused.error_type) == (409, "idempotency_key_in_progress")
    assert refused.headers["Retry-After"] == "1"
    again = api.post("/sandbox/reset", key="the-same-key")
    assert (again.status, again.body, again.headers["Idempotent-Replayed"]) == (
        200,
        first.result().body,
        "true",
    )
    assert Sandbox.objects.filter(owner=account).count() == 2


def test_of_two_resets_at_once_the_last_of_the_day_happens_once(monkeypatch):
    account = AccountFactory(**LIMITLESS)
    ci = open_sandbox(account=account, name="CI")
    apis = [Api(issued_key(each)[1]) for each in (account, ci.account)]
    monkeypatch.setattr(sandboxes, "MAX_OPENED_A_DAY", 2)

    answers = all_at_once([lambda api=api: api.post("/sandbox/reset") for api in apis])

    assert sorted(answer.status for answer in answers) == [200, 429]


def test_a_reset_waits_for_a_call_that_stores_when_its_key_was_used():
    """That call locks the key first and then its secret. The other way round, one of the two would end in a deadlock."""
    key, _ = issued_key(AccountFactory())

    def reset() -> str:
        try:
            return reset_sandbox(account_id=key.account_id).account_id
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            ApiKey.objects.filter(pk=key.pk).update(last_used_at=key.created_at)
            resetting = pool.submit(reset)
            until_somebody_waits()
            KeySecret.objects.filter(key=key).update(last_used_at=key.created_at)
        assert resetting.result() == ApiKey.objects.get().account_id
