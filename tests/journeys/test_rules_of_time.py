"""Nine rules of time, walked in one sandbox by moving its clock. Nobody else's rows change (`make rules-of-time`)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.core import mail

from apps.accounts.live_approval import announce_lapses
from apps.accounts.models import Account, Sandbox
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.common import clock
from apps.keys.services import rotate_key
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.webhooks.deliveries.dispatch import Dispatcher
from apps.webhooks.models import Delivery, DeliveryStatus
from apps.webhooks.sender import Sender
from apps.webhooks.services.prune import prune
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.receiver import Receiver, Reply, receiving
from tests.support.rows_of import rows_of
from tests.transfers import agency

pytestmark = pytest.mark.django_db

MINUTE, HOUR, DAY = 60, 3_600, 86_400
LADDER = (MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 24 * HOUR)
MOST_SECONDS = 60


@dataclass
class Walk:
    """A partner with a sandbox of its own, and what it has seen."""

    partner: Onboarded
    api: Api
    receiver: Receiver
    began: float = field(default_factory=time.monotonic)
    seen: list[str] = field(default_factory=list)

    @property
    def shop(self) -> FlightShop:
        return FlightShop(self.api)

    def advance(self, seconds: int) -> None:
        before = self.now
        moved = self.api.post("/sandbox/clock", {"advanceSeconds": seconds})
        assert moved.status == 200, moved.body
        assert timedelta(seconds=seconds) <= self.now - before < timedelta(seconds=seconds + MOST_SECONDS)

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.api.get("/sandbox/clock").body["now"])

    def saw(self, rule: str, what: str) -> None:
        self.seen.append(rule)
        print(f"{len(self.seen)}. {rule}: {what}")

    def deliver(self) -> int:
        """Run the background work of everybody, as beat would."""
        sender = Sender(allow_local=True)
        try:
            made = Dispatcher(using=sender).run(seconds=30.0)
        finally:
            sender.close_idle(everything=True)
        settle_owed()
        recover_due()
        poll_suppliers()
        announce_lapses()
        prune()
        return made


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving(Reply(status=500)) as running:
        yield running


@pytest.fixture
def walk(receiver: Receiver) -> Walk:
    partner = agency.a_partner(live=True)
    return Walk(partner, Api(partner.test_secret), receiver)


@pytest.fixture
def others(walk: Walk, receiver: Receiver, settings: Any) -> list[tuple[str, str]]:
    """Another account, and this one's live environment: bookings, deliveries that wait for a retry, rotated keys."""
    settings.SIMULATE_LIVE_KEYS = True
    neighbour = agency.a_partner(live=True)
    assert walk.partner.live_secret is not None
    for secret in (neighbour.test_secret, walk.partner.live_secret):
        api = Api(secret)
        hook(api, receiver)
        FlightShop(api).ordered()
        assert agency.order(api, agency.an_offer(api)["quoteId"]).status == 201
    rotate_key(key=neighbour.test_key)
    assert walk.deliver() == 4
    assert Delivery.objects.filter(status=DeliveryStatus.RETRYING).count() == 4
    Delivery.objects.update(
        next_attempt_at=clock.now() + timedelta(hours=1)
    )  # of the others, not while this runs
    neighbour_id = neighbour.account.id
    return [(neighbour_id, "test"), (neighbour_id, "live"), (walk.partner.account.id, "live")]


def hook(api: Api, receiver: Receiver) -> str:
    body = {"url": receiver.url, "events": ["booking.confirmed"]}
    made = api.post("/v1/webhooks/endpoints", body)
    assert made.status == 201, made.body
    return str(made.body["id"])


def test_nine_rules_of_time_in_one_sandbox(walk: Walk, others: list[tuple[str, str]]) -> None:
    rows, accounts = rows_of(others), list(Account.objects.order_by("pk").values())
    assert {table for table, found in rows.items() if found} >= {
        "bookings_booking",
        "bookings_operation",
        "bookings_settlement",
        "gateway_idempotencyrecord",
        "gateway_searchquotaday",
        "keys_keysecret",
        "ledger_entry",
        "webhooks_attempt",
        "webhooks_delivery",
    }

    offers_expire(walk)
    idempotency_ends(walk)
    retries_and_disabling(walk)
    overlap_ends(walk)
    quota_begins_anew(walk)
    transfer_settles(walk)
    change_is_credited(walk)
    approval_lapses(walk)

    assert len(walk.seen) == 9
    assert rows_of(others) == rows
    assert list(Account.objects.order_by("pk").values()) == accounts
    assert list(Sandbox.objects.values_list("account_id", flat=True)) == [walk.partner.account.id]
    for account_id, environment in others:
        print(f"unchanged: {account_id} {environment}")
    live = Api(walk.partner.live_secret or "")
    assert abs(datetime.fromisoformat(live.get("/v1/ping").body["time"]) - clock.now()) < timedelta(minutes=1)
    assert check_ledger() == []
    elapsed = time.monotonic() - walk.began
    print(f"nine rules of time, {walk.now - clock.now()} ahead, in {elapsed:.1f} s")
    assert elapsed < MOST_SECONDS


def offers_expire(walk: Walk) -> None:
    offer = walk.shop.offer()
    walk.advance(19 * MINUTE)
    assert walk.shop.order(offer).status == 201
    walk.advance(MINUTE)
    late = walk.shop.order(offer)
    assert (late.status, late.error_type) == (410, "offer_expired")
    walk.saw("offer expiry", "ordered after 19 min, 410 offer_expired after 20")


def idempotency_ends(walk: Walk) -> None:
    body = {"origin": "LIS", "destination": "BER", "departureDate": "2027-02-03"}
    first = walk.api.post("/v1/flights/searches", body, key="the-same-key")
    walk.advance(24 * HOUR - 5 * MINUTE)
    again = walk.api.post("/v1/flights/searches", body, key="the-same-key")
    assert (again.headers["Idempotent-Replayed"], again.body) == ("true", first.body)
    walk.advance(5 * MINUTE)
    anew = walk.api.post("/v1/flights/searches", body, key="the-same-key")
    assert (anew.status, "Idempotent-Replayed" in anew.headers) == (201, False)
    assert anew.body["offers"][0]["offerId"] != first.body["offers"][0]["offerId"]
    walk.saw("idempotency", "replayed after 23:55 h, a new search after 24 h")


def retries_and_disabling(walk: Walk) -> None:
    endpoint = hook(walk.api, walk.receiver)
    for _ in range(10):
        sent = walk.api.post(f"/v1/webhooks/endpoints/{endpoint}/test")
        assert sent.status == 202, sent.body
    began = walk.now
    assert walk.deliver() == 10
    for pause in LADDER:
        walk.advance(pause - 1)
        waiting = walk.api.get("/v1/webhooks/deliveries").body["data"]
        assert {row["status"] for row in waiting} == {"RETRYING"}
        assert min(datetime.fromisoformat(row["nextAttemptAt"]) for row in waiting) > began
        walk.advance(1)
        assert walk.deliver() == 10
    ended = walk.api.get("/v1/webhooks/deliveries").body["data"]
    assert {(row["status"], row["attemptCount"]) for row in ended} == {("EXHAUSTED", 7)}
    told = walk.api.get(f"/v1/webhooks/deliveries/{ended[0]['id']}").body["attempts"]
    times = [datetime.fromisoformat(attempt["attemptedAt"]) for attempt in told]
    steps = [later - earlier for earlier, later in pairwise(times)]
    assert [round(step.total_seconds() / MINUTE) for step in steps] == [pause // MINUTE for pause in LADDER]
    stamps = {int(told_of["requestHeaders"]["webhook-timestamp"]) for told_of in told}
    assert max(stamps) - min(stamps) < MOST_SECONDS
    walk.saw("retry ladder", "1 min, 5 min, 30 min, 2 h, 6 h, 24 h, then EXHAUSTED; signed in real time")
    found = walk.api.get(f"/v1/webhooks/endpoints/{endpoint}").body
    assert (found["status"], found["disabledReason"]) == ("disabled", "consecutive_failures")
    assert datetime.fromisoformat(found["disabledAt"]) - began > timedelta(hours=32)
    walk.saw("disabling at ten", f"disabled at {found['disabledAt']}")


def overlap_ends(walk: Walk) -> None:
    old = walk.api
    walk.api = Api(rotate_key(key=walk.partner.test_key))
    walk.advance(24 * HOUR - 5 * MINUTE)
    assert old.get("/v1/account").status == 200
    walk.advance(5 * MINUTE)
    refused = old.get("/v1/account")
    assert (refused.status, refused.error_type) == (401, "api_key_expired")
    assert walk.api.get("/v1/account").status == 200
    endpoint = hook(walk.api, walk.receiver)
    path = f"/v1/webhooks/endpoints/{endpoint}"
    assert walk.api.post(f"{path}/rotate-secret", {}).status == 200
    for pause, signatures in ((0, 2), (24 * HOUR, 1)):
        walk.advance(pause)
        walk.receiver.requests.clear()
        assert walk.api.post(f"{path}/test").status == 202
        assert walk.deliver() >= 1
        assert len(walk.receiver.requests[-1].headers["webhook-signature"].split()) == signatures
    assert walk.api.delete(path).status == 204
    walk.saw("secret overlap", "old key secret 401 after 24 h; two signatures, after 24 h one")


def quota_begins_anew(walk: Walk) -> None:
    used = walk.api.get("/v1/account")
    limit = int(used.headers["X-Search-Quota-Limit"])
    walk.shop.search()
    before = walk.api.get("/v1/account").headers
    assert int(before["X-Search-Quota-Remaining"]) < limit
    reset = datetime.fromtimestamp(int(before["X-Search-Quota-Reset"]), tz=walk.now.tzinfo)
    moved = walk.api.post("/sandbox/clock", {"advanceTo": clock.rfc3339(reset)})
    assert moved.status == 200, moved.body
    after = walk.api.get("/v1/account").headers
    assert int(after["X-Search-Quota-Remaining"]) == limit
    assert int(after["X-Search-Quota-Reset"]) == int(before["X-Search-Quota-Reset"]) + DAY
    walk.saw("quota reset", f"{before['X-Search-Quota-Remaining']} left, after midnight UTC {limit}")


def transfer_settles(walk: Walk) -> None:
    outbound = (walk.now + timedelta(days=30)).strftime("%Y-%m-%dT14:30:00")
    made = agency.order(walk.api, agency.an_offer(walk.api, outbound=outbound)["quoteId"])
    assert made.status == 201, made.body
    assert made.body["settlement"]["funds"] == "still_held"
    walk.advance(HOUR)
    walk.deliver()
    settled = walk.api.get(f"/v1/transfers/orders/{made.body['id']}").body["settlement"]
    assert settled["funds"] == "captured"
    lines = walk.api.get(f"/v1/account/ledger?bookingReference={made.body['reference']}").body["data"]
    captured, held = (datetime.fromisoformat(line["createdAt"]) for line in lines)
    assert captured - held >= timedelta(hours=1)
    walk.saw("settlement", f"held at {clock.rfc3339(held)}, captured at {clock.rfc3339(captured)}")


def change_is_credited(walk: Walk) -> None:
    departure = (walk.now + timedelta(days=60)).date()
    offer = next(
        offer
        for offer in walk.shop.search(departureDate=departure.isoformat())
        if offer["conditions"]["changeable"]
    )
    order = walk.shop.ordered(offer)
    leg = order["slices"][0]
    added = {
        "origin": leg["origin"],
        "destination": leg["destination"],
        "departureDate": (departure + timedelta(days=7)).isoformat(),
    }
    path = f"/v1/flights/orders/{order['id']}"
    found = walk.api.post(f"{path}/change-options", {"removeSliceId": leg["sliceId"], "add": added}).body
    cheapest = min(found["options"], key=lambda option: option["differenceCents"])
    assert cheapest["differenceCents"] < 0
    assert walk.shop.change(order["id"], cheapest).body["settled"] is False
    walk.advance(HOUR)
    walk.deliver()
    [change] = walk.shop.read(order["id"])["changes"]
    line = walk.api.get(f"/v1/account/ledger?bookingReference={order['reference']}").body["data"][0]
    assert (change["settled"], line["type"]) == (True, "refund")
    assert line["amountCents"] == -cheapest["differenceCents"]
    walk.saw("change credit", f"{line['amountCents']} cents credited at {line['createdAt']}")


def approval_lapses(walk: Walk) -> None:
    approval = walk.api.get("/v1/account").body["liveApproval"]
    assert approval["status"] == "approved"
    walk.advance(365 * DAY)
    walk.deliver()
    assert walk.api.get("/v1/account").body["liveApproval"] == {**approval, "status": "lapsed"}
    live = Api(walk.partner.live_secret or "").get("/v1/account").body["liveApproval"]
    assert live["status"] == "approved"
    assert mail.outbox == []
    walk.saw("approval lapse", "lapsed for the sandbox's keys; live is approved, nobody was mailed")
